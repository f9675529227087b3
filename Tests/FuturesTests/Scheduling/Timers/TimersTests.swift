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

@Suite struct TimersTests {
    @Test func `blocked threads do not delay timers, time limits and delays on any scheduler`() async {
        await #expect(processExitsWith: .success) {
            blockThePool()
            let serial = [Scheduler(label: "own"), Scheduler(queue: DispatchQueue(label: "queue"))]
            for scheduler in serial + [.background, .immediate] {
                let isDone = DispatchSemaphore(value: 0)
                Future<Int>.never.timeout(after: .milliseconds(5), on: scheduler)
                    .onError(on: .immediate) { _ in isDone.signal() }
                Future(1).delay(by: .milliseconds(5), on: scheduler).onValue(on: .immediate) { _ in isDone.signal() }
                expectSignal(isDone)
                expectSignal(isDone)
                if serial.contains(scheduler) {
                    scheduler.async(after: .milliseconds(5)) { isDone.signal() }
                    expectSignal(isDone)
                }
            }
        }
    }
}

/// A separate function, as asynchronous code may not wait for a semaphore.
private func expectSignal(_ semaphore: DispatchSemaphore) {
    guard semaphore.wait(timeout: .now() + 20) == .success else { fatalError("a timer was late") }
}
