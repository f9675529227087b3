// Turns: what all kinds of queues, locks and pools have in common. Contract/Queues.md

import Futures
import FuturesTesting
import Testing

/// One of each kind of what gives turns, one turn at a time.
func turnKinds() -> [(name: String, queue: any TurnQueue, giver: any TurnGiver)] {
    let (queue, resource, keys) = (FutureQueue(), FutureQueue(resource: 7), KeyedFutureQueue<Int>())
    let (mutex, semaphore, lock) = (FutureMutex(), FutureSemaphore(count: 1), FutureReadWriteLock())
    let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) { Future(1) }
    return [
        ("queue", queue, queue), ("queue with a resource", resource, resource), ("key", keys, keys[1]),
        ("mutex", mutex, mutex), ("semaphore", semaphore, semaphore), ("writing", lock, lock.writing),
        ("pool", pool, pool),
    ]
}

extension TurnGiver {
    fileprivate func add(
        on scheduler: Scheduler = .immediate, with options: TurnOptions = .init(),
        _ body: @escaping @Sendable () -> Future<Int>
    ) -> Future<Int> { on(scheduler).enqueue(with: options) { _ in body() } }

    fileprivate func runPlain(_ body: @escaping @Sendable () -> Int) -> Future<Int> {
        on(.immediate).run { _ in body() }
    }
}

@Suite struct TurnGiverTests {
    @Test func `operations of every kind start by their priority`() {
        for (name, queue, giver) in turnKinds() {
            let (gate, log) = (Promise<Int>(), Log<String>())
            let first = giver.add { gate.future }
            let others = [("low", QueuePriority.low), ("normal", .normal), ("high", .high)].map { word, priority in
                giver.add(with: .priority(priority)) { log.add(word, returning: Future(1)) }
            }
            gate.succeed(1)
            #expect(log.entries == ["high", "normal", "low"], "\(name)")
            withExtendedLifetime((first, others, queue)) {}
        }
    }

    @Test func `a preview that becomes visible while it waits moves ahead of the others`() {
        for (name, queue, giver) in turnKinds() {
            let (gate, log) = (Promise<Int>(), Log<String>())
            let first = giver.add { gate.future }
            let previews = ["hidden", "visible"].map { word in
                giver.add(with: .priority(.low)) { log.add(word, returning: Future(1)) }
            }
            let shown = previews[1].map(on: .immediate) { $0 + 1 }
            #expect(queue.setPriority(.high, of: shown), "\(name)")
            #expect(!queue.setPriority(.high, of: first), "\(name)")
            gate.succeed(1)
            #expect(log.entries == ["visible", "hidden"], "\(name)")
            #expect(!queue.setPriority(.high, of: shown), "\(name)")
        }
    }

    @Test func `an asynchronous operation and one of another queue have the priority they are given`() async throws {
        let (queue, other, gate, log) = (FutureQueue(), FutureQueue(), Promise<Int>(), Log<Int>())
        queue.on(.immediate).enqueue { gate.future }
        let futures = (0..<2).map { number in queue.run { () async in log.add(number) } }
        #expect(queue.setPriority(.high, of: futures[1]))
        #expect(!other.setPriority(.high, of: futures[0]))
        gate.succeed(1)
        _ = try await join(futures).value
        #expect(log.entries == [1, 0])
    }

    @Test func `the waiting and the running time of every kind are limited`() {
        for (name, queue, giver) in turnKinds() {
            let (time, limit) = (VirtualTime(), Duration.seconds(1))
            let slow = giver.add(on: time.scheduler, with: .runTimeout(limit * 2)) { .never }
            let late = giver.add(on: time.scheduler, with: .waitTimeout(limit)) { Future(2) }
            time.run()
            time.advance(by: limit)
            #expect(late.error as? QueueError == .waitTimedOut(after: limit), "\(name)")
            time.advance(by: limit)
            #expect(slow.error as? QueueError == .runTimedOut(after: limit * 2), "\(name)")
            #expect(queue.isEmpty, "\(name)")
        }
    }

    @Test func `every kind can be paused, cancelled, drained and closed`() {
        struct Ended: Error {}
        for (name, queue, giver) in turnKinds() {
            queue.isPaused = true
            let waiting = giver.add { Future(1) }
            #expect(queue.isPaused, "\(name)")
            #expect([queue.waitingCount, queue.runningCount] == [1, 0], "\(name)")
            queue.cancelWaiting()
            #expect(waiting.isCancelled, "\(name)")
            queue.isPaused = false
            let running = giver.add { .never }
            #expect(queue.runningCount == 1, "\(name)")
            let drained = queue.drained()
            queue.cancelAll(with: Ended())
            #expect(running.error is Ended, "\(name)")
            #expect(drained.isCompleted, "\(name)")
            #expect(giver.runPlain { 3 }.success == 3, "\(name)")
            #expect(queue.close(with: Ended()).isCompleted, "\(name)")
            #expect(queue.closedError is Ended, "\(name)")
            #expect(giver.runPlain { 3 }.error is Ended, "\(name)")
        }
    }

    @Test func `permits of every kind without a resource are turns`() throws {
        for (name, queue, giver) in turnKinds() {
            guard let giver = giver as? any TurnGiver<Void> else { continue }
            let permit = try #require(giver.acquire().success, "\(name)")
            let waiting = giver.runPlain { 1 }
            #expect(giver.acquireIfAvailable() == nil, "\(name)")
            #expect(!waiting.isCompleted, "\(name)")
            permit.release()
            #expect(waiting.success == 1, "\(name)")
            #expect(queue.isEmpty, "\(name)")
        }
    }

    @Test func `a function by its name is an operation`() {
        let queue = FutureQueue()
        #expect(queue.on(.immediate).enqueue(five).success == 5)
        #expect(queue.on(.immediate).run(six).success == 6)
    }
}

@Sendable private func five() -> Future<Int> { Future(5) }
@Sendable private func six() -> Int { 6 }
