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
            let pool = ResourcePool(maxCount: 1, on: time.scheduler, create: { Future(1) }, check: check)
            pool.enqueue(on: time.scheduler) { _ in gate.future }
            time.run()
            expectLimit(by: time, "enqueue") {
                pool.enqueue(on: time.scheduler, waitTimeout: limit) { _ in Future(2) }
            }
            expectLimit(by: time, "enqueue without on:") {
                time.scheduler.perform { pool.enqueue(waitTimeout: limit) { _ in Future(2) } }
            }
            expectLimit(by: time, "enqueue with finally:") {
                pool.enqueue(on: time.scheduler, waitTimeout: limit) { _ in
                    Future(2)
                } finally: { _, _ in
                    Future()
                }
            }
            expectLimit(by: time, "withResource") {
                pool.withResource(on: time.scheduler, waitTimeout: limit) { _ in 2 }
            }
            expectLimit(by: time, "withResource with finally:") {
                pool.withResource(on: time.scheduler, waitTimeout: limit) { _ in
                    2
                } finally: { _, _ in
                }
            }
            gate.succeed()
            time.run()
            #expect(pool.takenCount == 0 && pool.waitingCount == 0)
        }
    }

    @Test func `a repetition has the time limit of the first run, by the same clock`() {
        let (time, gate, limit) = (VirtualTime(), Promise<Void>(), Self.limit)
        let pool = ResourcePool(
            maxCount: 1, on: time.scheduler, create: { Future(1) }, check: { _ in Future(true) })
        pool.enqueue(on: time.scheduler) { _ in gate.future }
        time.run()
        let late = pool.enqueue(on: time.scheduler, waitTimeout: limit) { _ in Future(2) }
            .onErrorRepeat(on: time.scheduler, maxRepetitions: 1) { _ in true }
        time.advance(by: limit + limit - .nanoseconds(1))
        #expect(!late.isCompleted)
        time.advance(by: .nanoseconds(1))
        #expect(late.error as? QueueError == .waitTimedOut(after: limit))
    }

    @Test func `without a scheduler of their own, time limits go by the clock of the current scheduler`() async throws {
        let (time, limit) = (VirtualTime(), Self.limit)
        let (semaphore, mutex, lock) = (FutureSemaphore(count: 1), FutureMutex(), FutureReadWriteLock())
        let (queue, gate) = (FutureQueue(), Promise<Void>())
        let pool = ResourcePool(maxCount: 1, on: .immediate) { Future(1) }
        queue.enqueue(on: .immediate) { gate.future }
        pool.enqueue(on: .immediate) { _ in gate.future }
        let permits = [semaphore.acquire(), mutex.lock(), lock.lockForWriting()]
        time.scheduler.perform {
            expectLimit(by: time, "acquire") { semaphore.acquire(waitTimeout: limit) }
            expectLimit(by: time, "lock") { mutex.lock(waitTimeout: limit) }
            expectLimit(by: time, "lockForReading") { lock.lockForReading(waitTimeout: limit) }
            expectLimit(by: time, "lockForWriting") { lock.lockForWriting(waitTimeout: limit) }
            expectLimit(by: time, "withPermit") { semaphore.withPermit(waitTimeout: limit) { 1 } }
            expectLimit(by: time, "run") { queue.run(waitTimeout: limit) { 1 } }
            expectLimit(by: time, "run with finally:") {
                queue.run(waitTimeout: limit) {
                    1
                } finally: { _ in
                }
            }
            expectLimit(by: time, "withResource") { pool.withResource(waitTimeout: limit) { _ in 1 } }
        }
        for permit in permits { permit.success?.release() }
        gate.succeed()
        let (hasBegun, never) = (Promise<Void>(), Promise<Void>())
        let running = time.scheduler.perform {
            queue.run(runTimeout: limit) {
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

    @Test func `waits for a permit end by their time limits even if they block all threads`() async {
        await #expect(processExitsWith: .success) {
            let (mutex, group) = (FutureMutex(), DispatchGroup())
            let permit = mutex.lock()
            // More waits than Dispatch has threads.
            for _ in 0..<300 {
                group.enter()
                Scheduler.background.async {
                    #expect(throws: QueueError.waitTimedOut(after: .milliseconds(50))) {
                        try mutex.lock(waitTimeout: .milliseconds(50)).wait()
                    }
                    group.leave()
                }
            }
            precondition(group.wait(timeout: .testTimeout) == .success, "The time limits do not end the waits.")
            withExtendedLifetime(permit) {}
        }
    }

    @Test func `a rate limit lets operations start, whatever scheduler a wait for one of them blocks`() {
        let scheduler = Scheduler(label: "serial")
        let queue = FutureQueue(
            rate: RateLimit(1, per: .milliseconds(1), on: scheduler), executeOn: .background)
        scheduler.sync {
            queue.runSync { 1 }
            #expect(throws: Never.self) { try queue.runSync { 2 }.wait(timeout: testTimeout) }
        }
    }

    @Test func `limits go by the clock of a simulation, whatever scheduler a wait blocks there`() throws {
        try Simulation.run(seed: 1) {
            let queue = FutureQueue(rate: RateLimit(1, per: .seconds(60)), executeOn: .background)
            let (mutex, waited) = (FutureMutex(), Promise<Void>())
            let permit = mutex.lock()
            Scheduler.background.async {
                queue.runSync { 1 }
                #expect(throws: Never.self) { try queue.runSync { 2 }.wait() }
                #expect(Simulation.elapsed == .seconds(60))
                #expect(throws: QueueError.waitTimedOut(after: .seconds(30))) {
                    try mutex.lock(waitTimeout: .seconds(30)).wait()
                }
                #expect(Simulation.elapsed == .seconds(90))
                waited.succeed()
            }
            try waited.future.wait()
            withExtendedLifetime(permit) {}
        }
    }

    @Test func `a wait for a permit ends by its time limit, whatever scheduler it blocks`() {
        let (mutex, scheduler) = (FutureMutex(), Scheduler(label: "serial"))
        let permit = mutex.lock()
        scheduler.sync {
            #expect(throws: QueueError.waitTimedOut(after: .milliseconds(1))) {
                try mutex.lock(waitTimeout: .milliseconds(1)).wait(timeout: testTimeout)
            }
        }
        withExtendedLifetime(permit) {}
    }
}
