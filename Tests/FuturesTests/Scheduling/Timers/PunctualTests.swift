// Real time limits: what does not delay them, and how many threads they take. Contract/Time.md

import Dispatch
import Foundation
import Futures
import Testing

private func block(_ scheduler: Scheduler) {
    let isBlocked = DispatchSemaphore(value: 0)
    scheduler.async {
        isBlocked.signal()
        DispatchSemaphore(value: 0).wait()
    }
    isBlocked.wait()
}

private func blockThePool() {
    let (never, blocked) = (DispatchSemaphore(value: 0), AtomicCounter())
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

/// Ends the process unless the future completes.
private func expectEnd(of future: Future<some Sendable>) {
    let isDone = DispatchSemaphore(value: 0)
    future.onResult(on: .immediate) { _ in isDone.signal() }
    guard isDone.wait(timeout: .testTimeout) == .success else { fatalError("a time limit was late") }
}

@Suite struct PunctualTests {
    @Test func `code that blocks its scheduler delays no time limit, delay or waiting time there`() async {
        await #expect(processExitsWith: .success) {
            for scheduler in [Scheduler(label: "own"), Scheduler(queue: DispatchQueue(label: "queue"))] {
                block(scheduler)
                let (never, limit) = (Future<Int>.never, Duration.milliseconds(5))
                expectEnd(of: never.timeout(after: limit, on: scheduler))
                expectEnd(of: never.timeout(after: limit) { Future(1) })
                expectEnd(of: Future(1).delay(by: limit, on: scheduler))
                expectEnd(of: Future(1).delay(until: scheduler.now + limit, on: scheduler))
                let queue = FutureQueue(resource: 1, executeOn: scheduler)
                expectEnd(of: queue.on(.immediate).enqueue(with: .runTimeout(limit)) { _ in never })
                expectEnd(of: queue.on(scheduler).enqueue(with: .waitTimeout(limit)) { _ in never })
                let mutex = FutureMutex()
                let permit = mutex.acquire()
                expectEnd(of: scheduler.perform { mutex.acquire(with: .waitTimeout(limit)) })
                withExtendedLifetime(permit) {}
            }
            let own = Scheduler(label: "own")
            expectEnd(
                of: FutureQueue().on(own).enqueue(with: .runTimeout(.milliseconds(5))) {
                    DispatchSemaphore(value: 0).wait()
                    return Future<Int>.never
                })
        }
    }

    @Test func `ten thousand time limits that pass at once take at most sixteen threads`() async {
        await #expect(processExitsWith: .success) {
            let (running, most, ended) = (AtomicCounter(), Shared(0), AtomicCounter())
            for _ in 0..<10_000 {
                stoppable {
                    let count = running.up()
                    most.change { $0 = max($0, count) }
                    usleep(100)
                    running.down()
                    ended.up()
                }.timeout(after: .milliseconds(50)).onError(on: .immediate) { _ in }
            }
            #expect(await comesTrue { ended.value == 10_000 })
            #expect(most.value <= 16)
        }
    }

    @Test func `disposables that block fifteen threads delay no other time limit`() async {
        await #expect(processExitsWith: .success) {
            let blocked = DispatchSemaphore(value: 0)
            for _ in 0..<15 {
                stoppable {
                    blocked.signal()
                    DispatchSemaphore(value: 0).wait()
                }.timeout(after: .milliseconds(1)).onError(on: .immediate) { _ in }
            }
            for _ in 0..<15 { blocked.wait() }
            for _ in 0..<100 { expectEnd(of: Future<Int>.never.timeout(after: .milliseconds(1))) }
        }
    }

    @Test func `blocked threads do not delay timers, time limits and delays on any scheduler`() async {
        await #expect(processExitsWith: .success) {
            blockThePool()
            let serial = [Scheduler(label: "own"), Scheduler(queue: DispatchQueue(label: "queue"))]
            for scheduler in serial + [.background, .immediate] {
                expectEnd(of: Future<Int>.never.timeout(after: .milliseconds(5), on: scheduler))
                expectEnd(of: Future(1).delay(by: .milliseconds(5), on: scheduler))
                let fired = Promise<Void>()
                scheduler.async(after: .milliseconds(5)) { fired.succeed() }
                if serial.contains(scheduler) { expectEnd(of: fired.future) }
            }
        }
    }
}
