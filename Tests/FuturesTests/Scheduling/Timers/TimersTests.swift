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

    @Test(arguments: [Scheduler(label: "own"), .main, Scheduler(queue: DispatchQueue(label: "queue"))])
    func `timers with equal delays fire in the order in which they were started`(scheduler: Scheduler) async {
        let log = Log<Int>()
        let last = Promise<Void>()
        for index in 0..<500 {
            scheduler.async(after: .milliseconds(2)) {
                log.add(index)
                if index == 499 { last.succeed() }
            }
        }
        _ = await last.future.arrival()
        #expect(log.entries == Array(0..<500))
    }

    @Test func `an earlier timer does not wait for a later one, and a later one does not fire early`() async {
        let scheduler = Scheduler(label: "own")
        let log = Log<Int>()
        let end = Promise<Void>()
        let never = scheduler.async(after: .seconds(3600)) { log.add(0) }
        scheduler.async(after: .milliseconds(20)) {
            log.add(2)
            end.succeed()
        }
        scheduler.async(after: .milliseconds(1)) { log.add(1) }
        _ = await end.future.arrival()
        never.dispose()
        #expect(log.entries == [1, 2])
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

    /// An actor whose deinit blocks until the test signals `gate`.
    private actor Sleeper {
        let gate: DispatchSemaphore
        init(_ gate: DispatchSemaphore) { self.gate = gate }
        deinit { _ = gate.wait(timeout: .testTimeout) }

        func place() -> Future<Scheduler> { Future(1).map { _ in self.own() } }
        private func own() -> Scheduler { .current }
    }

    @Test func `an actor that is released with its timer can block in its deinit`() async throws {
        let gate = DispatchSemaphore(value: 0)
        do {
            let scheduler = try await Sleeper(gate).place().arrival().get()
            scheduler.async(after: .milliseconds(1)) {}
        }
        let other = Promise<Void>()
        Scheduler.background.async(after: .milliseconds(5)) { other.succeed() }
        _ = await other.future.arrival()
        gate.signal()
    }
}

/// A separate function, as asynchronous code may not wait for a semaphore.
private func expectSignal(_ semaphore: DispatchSemaphore) {
    guard semaphore.wait(timeout: .now() + 20) == .success else { fatalError("a timeout was late") }
}
