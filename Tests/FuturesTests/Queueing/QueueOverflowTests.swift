// What a full queue does with another operation. Contract/Queues.md

import Futures
import FuturesTesting
import Testing

@Suite struct QueueOverflowTests {
    private let gate = Promise<Void>()
    private let log = Log<Int>()

    private func enqueue(
        _ number: Int, in queue: FutureQueue<Void>, priority: QueuePriority = .normal
    ) -> Future<Int> {
        queue.on(.immediate).enqueue(with: .priority(priority)) {
            log.add(number)
            return gate.future.map(on: .immediate) { number }
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
