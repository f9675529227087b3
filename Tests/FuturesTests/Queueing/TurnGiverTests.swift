// Turns: what all kinds of queues, locks and pools have in common. Contract/Queues.md

import Futures
import FuturesTesting
import Testing

/// Calls `body` with one of each kind of what gives turns, one turn at a time.
private func withEachKind(_ body: (String, any TurnQueue, any TurnGiver) throws -> Void) rethrows {
    let (queue, resource, keys) = (FutureQueue(), FutureQueue(resource: 7), KeyedFutureQueue<Int>())
    let (mutex, semaphore, lock) = (FutureMutex(), FutureSemaphore(count: 1), FutureReadWriteLock())
    let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) { Future(1) }
    try body("queue", queue, queue)
    try body("queue with a resource", resource, resource)
    try body("key", keys, keys[1])
    try body("mutex", mutex, mutex)
    try body("semaphore", semaphore, semaphore)
    try body("writing", lock, lock.writing)
    try body("pool", pool, pool)
}

extension TurnGiver {
    fileprivate func add(
        on scheduler: Scheduler = .immediate, with options: TurnOptions = .init(),
        _ body: @escaping @Sendable () -> Future<Int>
    ) -> Future<Int> {
        on(scheduler).enqueue(with: options) { _ in body() }
    }

    fileprivate func add(
        on scheduler: Scheduler, with options: TurnOptions, _ body: @escaping @Sendable () -> Future<Int>,
        finally cleanup: @escaping @Sendable (Result<Int, any Error>) -> Void
    ) -> Future<Int> {
        on(scheduler).enqueue(with: options) { _ in
            body()
        } finally: {
            Future(cleanup($1))
        }
    }

    fileprivate func runPlain(_ body: @escaping @Sendable () -> Int) -> Future<Int> {
        on(.immediate).run { _ in body() }
    }
}

@Suite struct TurnGiverTests {
    @Test func `operations of every kind start by their priority`() {
        withEachKind { name, queue, giver in
            let (gate, log) = (Promise<Int>(), Log<String>())
            let first = giver.add { gate.future }
            let others = [("low", QueuePriority.low), ("normal", .normal), ("high", .high)].map { word, priority in
                giver.add(with: .priority(priority)) {
                    log.add(word)
                    return Future(1)
                }
            }
            gate.succeed(1)
            #expect(log.entries == ["high", "normal", "low"], "\(name)")
            withExtendedLifetime((first, others, queue)) {}
        }
    }

    @Test func `the waiting time of every kind is limited`() {
        withEachKind { name, queue, giver in
            let (time, gate) = (VirtualTime(), Promise<Int>())
            let first = giver.add { gate.future }
            let late = giver.add(on: time.scheduler, with: .waitTimeout(.seconds(1))) { Future(2) }
            time.advance(by: .seconds(1))
            #expect(late.error as? QueueError == .waitTimedOut(after: .seconds(1)), "\(name)")
            withExtendedLifetime((first, queue)) {}
        }
    }

    @Test func `the running time of every kind is limited, with its cleanup`() {
        withEachKind { name, queue, giver in
            for hasCleanup in [false, true] {
                let (time, log) = (VirtualTime(), Log<String>())
                let options = TurnOptions.runTimeout(.seconds(1))
                let late =
                    hasCleanup
                    ? giver.add(on: time.scheduler, with: options) {
                        .never
                    } finally: {
                        log.add("\(($0.error as? QueueError) == .runTimedOut(after: .seconds(1)))")
                    }
                    : giver.add(on: time.scheduler, with: options) { .never }
                time.run()
                time.advance(by: .seconds(1))
                #expect(late.error as? QueueError == .runTimedOut(after: .seconds(1)), "\(name)")
                time.run()
                #expect(log.entries == (hasCleanup ? ["true"] : []), "\(name)")
                #expect(queue.isEmpty, "\(name)")
            }
        }
    }

    @Test func `every kind can be paused, cancelled, drained and closed`() {
        struct Ended: Error {}
        withEachKind { name, queue, giver in
            queue.isPaused = true
            let waiting = giver.add { Future(1) }
            #expect(queue.isPaused && queue.waitingCount == 1 && queue.runningCount == 0, "\(name)")
            queue.cancelWaiting()
            #expect(waiting.isCancelled, "\(name)")
            queue.isPaused = false
            let running = giver.add { .never }
            #expect(queue.runningCount == 1, "\(name)")
            let drained = queue.drained()
            queue.cancelAll(with: Ended())
            #expect(running.error is Ended && drained.isCompleted && queue.isEmpty, "\(name)")
            #expect(giver.runPlain { 3 }.success == 3, "\(name)")
            #expect(queue.close(with: Ended()).isCompleted && queue.closedError is Ended, "\(name)")
            #expect(giver.runPlain { 3 }.error is Ended, "\(name)")
        }
    }

    @Test func `permits of every kind without a resource are turns`() throws {
        let (queue, keys, lock) = (FutureQueue(), KeyedFutureQueue<Int>(), FutureReadWriteLock())
        func check(_ queue: any TurnQueue, _ giver: some PermitGiver) throws {
            let permit = try #require(giver.acquire().success)
            let waiting = giver.runPlain { 1 }
            #expect(giver.acquireIfAvailable() == nil)
            #expect(!waiting.isCompleted && queue.runningCount == 1)
            permit.release()
            #expect(waiting.success == 1)
            #expect(queue.isEmpty)
        }
        try check(queue, queue)
        try check(keys, keys[1])
        try check(lock, lock.writing)
    }

    @Test func `a function by its name is an operation`() {
        let queue = FutureQueue()
        #expect(queue.on(.immediate).enqueue(five).success == 5)
        #expect(queue.on(.immediate).run(six).success == 6)
    }
}

@Sendable private func five() -> Future<Int> { Future(5) }
@Sendable private func six() -> Int { 6 }
