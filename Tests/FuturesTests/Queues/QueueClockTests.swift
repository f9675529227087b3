// The clocks of time limits in queues, pools and locks. Contract/Queues.md

import Futures
import FuturesTesting
import Testing

@Suite struct QueueClockTests {
    private static let limit = Duration.seconds(100)
    private let time = VirtualTime(), gate = Promise<Void>()

    /// Checks that the future that `add` returns fails when its limit passes on the clock of `time`.
    private func expectLimit<T>(_ name: String, _ add: (TurnOptions) -> Future<T>) {
        let late = add(.waitTimeout(Self.limit))
        time.advance(by: Self.limit - .nanoseconds(1))
        #expect(!late.isCompleted, "\(name)")
        time.advance(by: .nanoseconds(1))
        #expect(late.error as? QueueError == .waitTimedOut(after: Self.limit), "\(name)")
    }

    @Test(arguments: [false, true])
    func `the time limits of an operation go by the clock of its scheduler`(isChecked: Bool) {
        let check: (@Sendable (Int) throws -> Future<Bool>)? = isChecked ? { @Sendable _ in Future(true) } : nil
        let pool = ResourcePool(
            maxCount: 1, callTimeout: testTimeout, on: time.scheduler, create: { Future(1) }, check: check)
        let turns = pool.on(time.scheduler)
        turns.enqueue { [gate] _ in gate.future }
        time.run()
        expectLimit("enqueue") { turns.enqueue(with: $0) { _ in Future(2) } }
        expectLimit("enqueue with finally:") {
            turns.enqueue(with: $0, { _ in Future(2) }, finally: { _, _ in Future() })
        }
        expectLimit("run") { turns.run(with: $0) { _ in 2 } }
        expectLimit("run with finally:") { turns.run(with: $0, { _ in 2 }, finally: { _, _ in }) }
    }

    @Test func `without a scheduler of their own, time limits go by the clock of the current scheduler`() async throws {
        let (semaphore, queue) = (FutureSemaphore(count: 1), FutureQueue())
        let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) { Future(1) }
        queue.on(.immediate).enqueue { [gate] in gate.future }
        pool.on(.immediate).enqueue { [gate] _ in gate.future }
        let permit = semaphore.acquire()
        time.scheduler.perform {
            expectLimit("acquire") { semaphore.acquire(with: $0) }
            expectLimit("run in a semaphore") { semaphore.run(with: $0) { 1 } }
            expectLimit("run") { queue.run(with: $0) { 1 } }
            expectLimit("run with finally:") { queue.run(with: $0, { 1 }, finally: { _, _ in }) }
            expectLimit("enqueue in a pool") { pool.enqueue(with: $0) { _ in Future(1) } }
        }
        withExtendedLifetime(permit) {}
        gate.succeed()
        let (hasBegun, never) = (Promise<Void>(), Promise<Void>())
        let running = time.scheduler.perform {
            queue.run(with: .runTimeout(Self.limit)) {
                hasBegun.succeed()
                try await never.future.value
            }
        }
        try await hasBegun.future.value
        time.advance(by: Self.limit)
        #expect(running.error as? QueueError == .runTimedOut(after: Self.limit))
        try await queue.drained().value
    }

    @Test func `a rate limit lets operations start, whatever scheduler a wait for one of them blocks`() {
        let scheduler = Scheduler(label: "serial")
        let queue = FutureQueue(rate: RateLimit(1, per: .milliseconds(1), on: scheduler), executeOn: .background)
        scheduler.sync {
            _ = queue.run { 1 }
            #expect(throws: Never.self) { try queue.run { 2 }.wait(timeout: testTimeout) }
        }
    }
}
