// Real timers: blocked threads, order and disposal.

import Dispatch
import Foundation
import Futures
import Testing

/// Blocks all threads of Dispatch's global queues forever.
private func blockThePool() {
    let never = DispatchSemaphore(value: 0)
    let blocked = AtomicCounter()
    for quality in [DispatchQoS.QoSClass.utility, .default, .userInitiated] {
        for _ in 0..<300 {
            DispatchQueue.global(qos: quality).async {
                blocked.up()
                never.wait()
            }
        }
    }
    // At least one; Dispatch may add other threads meanwhile.
    while blocked.value < 1 { sched_yield() }
}

/// Ends the process unless a timer of each scheduler fires.
private func expectTimers(on schedulers: [Scheduler]) {
    let fired = DispatchSemaphore(value: 0)
    for scheduler in schedulers { scheduler.async(after: .milliseconds(5)) { fired.signal() } }
    for scheduler in schedulers where fired.wait(timeout: .now() + 20) != .success {
        fatalError("a timer was late: one of \(scheduler) and others")
    }
}

@Suite struct TimersTests {
    @Test func `blocked threads do not delay timers of a serial scheduler`() async {
        await #expect(processExitsWith: .success) {
            blockThePool()
            expectTimers(on: [Scheduler(label: "own"), Scheduler(queue: DispatchQueue(label: "queue"))])
            let late = Future<Int>.never.timeout(after: .milliseconds(5), on: Scheduler(label: "own"))
            let isLate = DispatchSemaphore(value: 0)
            late.onError(on: .immediate) { _ in isLate.signal() }
            expectSignal(isLate)
        }
    }

    @Test func `blocked threads do not delay time limits and delays on concurrent schedulers and on immediate`() async {
        await #expect(processExitsWith: .success) {
            blockThePool()
            for scheduler in [Scheduler.background, .immediate] {
                let isDone = DispatchSemaphore(value: 0)
                let late = Future<Int>.never.timeout(after: .milliseconds(5), on: scheduler)
                late.onError(on: .immediate) { _ in isDone.signal() }
                expectSignal(isDone)
                Future(1).delay(by: .milliseconds(5), on: scheduler).onValue(on: .immediate) { _ in isDone.signal() }
                expectSignal(isDone)
            }
        }
    }

    @Test func `a timer that waits in its scheduler's queue can still be disposed`() async {
        let queue = DispatchQueue(label: "queue")
        let scheduler = Scheduler(queue: queue)
        let (census, ran, isDue) = (Census(), AtomicCounter(), Promise<Void>())
        queue.suspend()
        func start() -> any Disposable {
            let captured = census.make()
            return scheduler.async(after: .zero) {
                captured.touch()
                ran.up()
            }
        }
        let timer = start()
        // Due later, so the first timer's work is in the queue by then.
        Scheduler.background.async(after: .milliseconds(1)) { isDue.succeed() }
        _ = await isDue.future.arrival()
        #expect(census.alive == 1)
        timer.dispose()
        #expect(census.alive == 0)
        queue.resume()
        queue.sync {}
        #expect(ran.value == 0)
    }
}

/// A separate function, as asynchronous code may not wait for a semaphore.
private func expectSignal(_ semaphore: DispatchSemaphore) {
    guard semaphore.wait(timeout: .now() + 20) == .success else { fatalError("a timeout was late") }
}
