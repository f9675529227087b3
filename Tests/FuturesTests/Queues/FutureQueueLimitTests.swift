// Limits of a queue: capacity, what a full one does, and time limits. Contract/Queues.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureQueueLimitTests {
    private let gate = Promise<Int>()

    @Test func `enqueuing into a full queue fails`() {
        let queue = FutureQueue(maxWaitingCount: 2)
        queue.on(.immediate).enqueue { [gate] in gate.future }
        let waiting = (0..<2).map { number in queue.on(.immediate).run { number } }
        #expect(queue.on(.immediate).run { 3 }.error as? QueueError == .full(maxWaitingCount: 2))
        waiting[0].cancel()
        let accepted = queue.on(.immediate).run { 4 }
        gate.succeed(1)
        #expect([waiting[1].success, accepted.success] == [1, 4])
    }

    @Test func `a queue with a maxWaitingCount of zero runs operations that can start immediately`() {
        let queue = FutureQueue(maxWaitingCount: 0)
        let keyed = KeyedFutureQueue<Int>(maxConcurrentCount: 1, maxWaitingCount: 0)
        #expect(queue.on(.immediate).run { 1 }.success == 1)
        #expect(queue.capacityAvailable().isCompleted)
        queue.on(.immediate).enqueue { [gate] in gate.future }
        keyed[1].on(.immediate).enqueue { [gate] in gate.future }
        #expect(queue.on(.immediate).run { 1 }.error is QueueError)
        let rooms = [queue.capacityAvailable(), keyed.capacityAvailable()]
        #expect(rooms.map(\.isCompleted) == [false, false])
        gate.succeed(1)
        #expect(rooms.map(\.isCompleted) == [true, true])
    }

    @Test func `producers that wait for capacity are admitted one by one as capacity becomes available`() {
        let (queue, blocker, log) = (FutureQueue(maxWaitingCount: 1), Promise<Int>(), Log<Int>())
        queue.on(.immediate).enqueue { [gate] in gate.future }
        _ = queue.on(.immediate).run { 1 }
        let producers = (0..<4).map { number in
            queue.capacityAvailable().flatMap(on: .immediate) { _ -> Future<Int> in
                log.add(number)
                return queue.on(.immediate).enqueue { number == 0 ? blocker.future : Future(number) }
            }
        }
        producers[1].cancel()
        #expect(log.entries == [])
        gate.succeed(1)
        // The first operation runs now and the next one waits, so the queue has no capacity for the last one.
        #expect(log.entries == [0, 2])
        blocker.succeed(0)
        #expect(log.entries == [0, 2, 3])
        #expect(producers.map(\.success) == [0, nil, 2, 3])
    }

    @Test func `an operation that waits too long fails and never starts`() {
        let (time, queue, begun) = (VirtualTime(), FutureQueue(), Shared(0))
        queue.on(.immediate).enqueue { [gate] in gate.future }
        let hurried = queue.on(time.scheduler).run(with: .waitTimeout(.seconds(5))) { begun.increment() }
        hurried.onError(on: .immediate) { _ in }
        let next = queue.on(.immediate).run { 3 }
        time.advance(by: .seconds(4))
        #expect(!hurried.isCompleted)
        time.advance(by: .seconds(1))
        #expect(hurried.error as? QueueError == .waitTimedOut(after: .seconds(5)))
        #expect(queue.waitingCount == 1)
        gate.succeed(1)
        #expect(next.success == 3)
        #expect(begun.value == 0)
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `an operation that may not wait starts immediately, or fails at its scheduler's next turn`(most: Duration) {
        let (time, queue) = (VirtualTime(), FutureQueue())
        let first = queue.on(.immediate).enqueue(with: .waitTimeout(most)) { [gate] in gate.future }
        let second = queue.on(time.scheduler).run(with: .waitTimeout(most)) { 2 }
        time.run()
        #expect(second.error as? QueueError == .waitTimedOut(after: most))
        gate.succeed(1)
        #expect(first.success == 1)
        let third = queue.on(time.scheduler).enqueue(with: .runTimeout(most)) { Future<Int>.never }
        time.run()
        #expect(third.error as? QueueError == .runTimedOut(after: most))
    }

    @Test func `an operation that runs too long fails, and the future that it returned is cancelled`() {
        let (time, queue) = (VirtualTime(), FutureQueue(resource: 1))
        let inner = Promise<Int>()
        queue.on(.immediate).enqueue { [gate] _ in gate.future }
        let slow = queue.on(time.scheduler).enqueue(with: .waitTimeout(.seconds(20)).runTimeout(.seconds(5))) { _ in
            inner.future
        }
        slow.onError(on: .immediate) { _ in }
        let next = queue.on(.immediate).run { $0 }
        // The time limit starts with the operation, and the limit of its wait ends with it.
        time.advance(by: .seconds(18))
        gate.succeed(1)
        time.advance(by: .seconds(4))
        #expect(!slow.isCompleted)
        time.advance(by: .seconds(1))
        #expect(slow.error as? QueueError == .runTimedOut(after: .seconds(5)))
        #expect(inner.future.isCancelled)
        #expect(next.success == 1)
        #expect(time.pendingCount == 0)
    }

    @Test func `a repeated operation has its full time again`() {
        let (time, queue, runs) = (VirtualTime(), FutureQueue(), Shared(0))
        let repeated = queue.on(time.scheduler).enqueue(with: .runTimeout(.seconds(5))) {
            runs.increment() < 3 ? Future<Int>.never : Future(runs.value)
        }.onErrorRepeat(on: .immediate) { $0 as? QueueError == .runTimedOut(after: .seconds(5)) }
        time.advance(by: .seconds(9))
        #expect(runs.value == 2)
        time.advance(by: .seconds(1))
        #expect(repeated.success == 3)
    }
}

@Suite struct QueueOverflowTests {
    private let gate = Promise<Void>(), log = Log<Int>()

    private func enqueue(_ number: Int, in queue: FutureQueue<Void>, priority: QueuePriority = .normal) -> Future<Int> {
        queue.on(.immediate).enqueue(with: .priority(priority)) {
            log.add(number, returning: gate.future.map(on: .immediate) { number })
        }
    }

    private func isFull(_ future: Future<Int>) -> Bool {
        if case QueueError.full? = future.error { true } else { false }
    }

    @Test func `a full queue that drops the oldest fails that and accepts the new one`() {
        let queue = FutureQueue(maxWaitingCount: 2, overflow: .dropOldest)
        let futures = (0..<6).map { enqueue($0, in: queue) }
        #expect(futures.map(isFull) == [false, true, true, true, false, false])
        #expect(futures[1].error as? QueueError == .full(maxWaitingCount: 2))
        gate.succeed()
        #expect(log.entries == [0, 4, 5])
    }

    @Test func `the oldest of the lowest priority is dropped, and none with a higher one than the new operation`() {
        let queue = FutureQueue(maxWaitingCount: 3, overflow: .dropOldest)
        let priorities = [QueuePriority.normal, .low, .high, .normal, .high, .normal, .low]
        let futures = priorities.enumerated().map { enqueue($0, in: queue, priority: $1) }
        // The low one goes for the high one, the normal one for the normal one; the new low one is refused.
        #expect(futures.map(isFull) == [false, true, false, true, false, false, true])
        gate.succeed()
        #expect(log.entries == [0, 2, 4, 5])
    }

    @Test func `the callbacks of an operation that is dropped may enqueue`() {
        let queue = FutureQueue(maxWaitingCount: 1, overflow: .dropOldest)
        let (first, again) = (enqueue(0, in: queue), Log<Future<Int>>())
        let dropped = enqueue(1, in: queue)
            .onError(on: .immediate) { _ in again.add(enqueue(3, in: queue)) }
        let second = enqueue(2, in: queue)
        #expect([dropped, second].map(isFull) == [true, true])
        gate.succeed()
        #expect(log.entries == [0, 3])
        #expect(first.success == 0)
    }

    @Test func `an operation that is dropped releases what it captures and its time limit`() throws {
        let (census, time) = (Census(), VirtualTime())
        let queue = FutureQueue(maxWaitingCount: 1, overflow: .dropOldest)
        let first = enqueue(0, in: queue)
        do {
            let object = census.make()
            queue.on(time.scheduler).enqueue(with: .waitTimeout(.seconds(1))) { Future(object.pass(1)) }
        }
        #expect([census.alive, time.pendingCount] == [1, 1])
        let second = enqueue(2, in: queue)
        #expect([census.alive, time.pendingCount] == [0, 0])
        gate.succeed()
        #expect([first.success, second.success] == [0, 2])
        try time.checkNothingPending()
    }
}
