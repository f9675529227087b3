// The clocks of time limits in queues, pools and locks. Contract/Queues.md

import Dispatch
import Futures
import FuturesTesting
import Testing

@Suite struct QueueClockTests {
    private static let limit = Duration.seconds(100)

    /// Checks that the future that `add` returns fails when its limit passes on the clock of `time`.
    private func expectLimit<T>(by time: VirtualTime, _ name: String, _ add: () -> Future<T>) {
        let late = add()
        time.advance(by: Self.limit - .nanoseconds(1))
        #expect(!late.isCompleted, "\(name)")
        time.advance(by: .nanoseconds(1))
        #expect(late.error as? QueueError == .waitTimedOut(after: Self.limit), "\(name)")
    }

    @Test func `the time limits of an operation go by the clock of its scheduler`() {
        for isChecked in [false, true] {
            let (time, gate, limit) = (VirtualTime(), Promise<Void>(), Self.limit)
            let check: (@Sendable (Int) throws -> Future<Bool>)? = isChecked ? { @Sendable _ in Future(true) } : nil
            let pool = ResourcePool(
                maxCount: 1, callTimeout: testTimeout, on: time.scheduler, create: { Future(1) }, check: check)
            pool.on(time.scheduler).enqueue { _ in gate.future }
            time.run()
            expectLimit(by: time, "enqueue") {
                pool.on(time.scheduler).enqueue(with: .waitTimeout(limit)) { _ in Future(2) }
            }
            expectLimit(by: time, "enqueue without on:") {
                time.scheduler.perform { pool.enqueue(with: .waitTimeout(limit)) { _ in Future(2) } }
            }
            expectLimit(by: time, "enqueue with finally:") {
                pool.on(time.scheduler).enqueue(with: .waitTimeout(limit)) { _ in
                    Future(2)
                } finally: { _, _ in
                    Future()
                }
            }
            expectLimit(by: time, "run") {
                pool.on(time.scheduler).run(with: .waitTimeout(limit)) { _ in 2 }
            }
            expectLimit(by: time, "run with finally:") {
                pool.on(time.scheduler).run(with: .waitTimeout(limit)) { _ in
                    2
                } finally: { _, _ in
                }
            }
            gate.succeed()
            time.run()
            #expect(pool.runningCount == 0 && pool.waitingCount == 0)
        }
    }

    @Test func `without a scheduler of their own, time limits go by the clock of the current scheduler`() async throws {
        let (time, limit) = (VirtualTime(), Self.limit)
        let (semaphore, mutex, lock) = (FutureSemaphore(count: 1), FutureMutex(), FutureReadWriteLock())
        let (queue, gate) = (FutureQueue(), Promise<Void>())
        let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) { Future(1) }
        queue.on(.immediate).enqueue { gate.future }
        pool.on(.immediate).enqueue { _ in gate.future }
        let permits = [semaphore.acquire(), mutex.acquire(), lock.writing.acquire()]
        time.scheduler.perform {
            expectLimit(by: time, "acquire") { semaphore.acquire(with: .waitTimeout(limit)) }
            expectLimit(by: time, "acquire of a mutex") { mutex.acquire(with: .waitTimeout(limit)) }
            expectLimit(by: time, "reading.acquire") { lock.reading.acquire(with: .waitTimeout(limit)) }
            expectLimit(by: time, "writing.acquire") { lock.writing.acquire(with: .waitTimeout(limit)) }
            expectLimit(by: time, "run in a semaphore") { semaphore.run(with: .waitTimeout(limit)) { 1 } }
            expectLimit(by: time, "run") { queue.run(with: .waitTimeout(limit)) { 1 } }
            expectLimit(by: time, "run with finally:") {
                queue.run(with: .waitTimeout(limit)) {
                    1
                } finally: { _, _ in
                }
            }
            expectLimit(by: time, "run in a pool") { pool.run(with: .waitTimeout(limit)) { _ in 1 } }
        }
        for permit in permits { permit.success?.release() }
        gate.succeed()
        let (hasBegun, never) = (Promise<Void>(), Promise<Void>())
        let running = time.scheduler.perform {
            queue.run(with: .runTimeout(limit)) {
                hasBegun.succeed()
                try await never.future.value
            }
        }
        try await hasBegun.future.value
        time.advance(by: limit)
        #expect(running.error as? QueueError == .runTimedOut(after: limit))
        try await queue.drained().value
        withExtendedLifetime(never) {}
    }

    @Test func `a rate limit lets operations start, whatever scheduler a wait for one of them blocks`() {
        let scheduler = Scheduler(label: "serial")
        let queue = FutureQueue(
            rate: RateLimit(1, per: .milliseconds(1), on: scheduler), executeOn: .background)
        scheduler.sync {
            _ = queue.run { 1 }
            #expect(throws: Never.self) { try queue.run { 2 }.wait(timeout: testTimeout) }
        }
    }
}
