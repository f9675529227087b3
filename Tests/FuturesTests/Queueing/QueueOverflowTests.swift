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

    private func isFull(_ future: Future<Int>, _ count: Int) -> Bool {
        future.error as? QueueError == .full(maxWaitingCount: count)
    }

    @Test func `a full queue that drops the oldest fails that and accepts the new one`() {
        let queue = FutureQueue(maxWaitingCount: 2, overflow: .dropOldest)
        let futures = (0..<6).map { enqueue($0, in: queue) }
        #expect(futures.map { isFull($0, 2) } == [false, true, true, true, false, false])
        #expect(queue.waitingCount == 2 && queue.runningCount == 1)
        gate.succeed()
        #expect(log.entries == [0, 4, 5] && futures[5].success == 5 && queue.isEmpty)
    }

    @Test func `the oldest of the lowest priority is dropped, and none with a higher one than the new operation`() {
        let queue = FutureQueue(maxWaitingCount: 3, overflow: .dropOldest)
        let running = enqueue(0, in: queue)
        let waiting = [QueuePriority.low, .high, .normal].enumerated().map { index, priority in
            enqueue(index + 1, in: queue, priority: priority)
        }
        let new = [QueuePriority.high, .normal, .low].enumerated().map { index, priority in
            enqueue(index + 4, in: queue, priority: priority)
        }
        // The low one goes for the high one, the normal one for the normal one; the new low one is refused.
        #expect((waiting + new).map { isFull($0, 3) } == [true, false, true, false, false, true])
        gate.succeed()
        #expect(log.entries == [0, 2, 4, 5] && running.success == 0)
    }

    @Test func `the callbacks of an operation that is dropped may enqueue`() {
        let queue = FutureQueue(maxWaitingCount: 1, overflow: .dropOldest)
        let first = enqueue(0, in: queue)
        let again = Guarded<Future<Int>?>(nil)
        let dropped = enqueue(1, in: queue).onError(on: .immediate) { _ in
            again.with { $0 == nil } ? again.with { $0 = enqueue(3, in: queue) } : ()
        }
        let second = enqueue(2, in: queue)
        #expect(isFull(dropped, 1) && isFull(second, 1))
        gate.succeed()
        #expect(log.entries == [0, 3] && first.success == 0 && again.with { $0?.success } == 3)
    }

    @Test func `an operation that is dropped releases what it captures and its time limit`() throws {
        let (census, time) = (Census(), VirtualTime())
        let queue = FutureQueue(maxWaitingCount: 1, overflow: .dropOldest)
        let first = enqueue(0, in: queue)
        do {
            let object = census.make()
            queue.on(time.scheduler).enqueue(with: .waitTimeout(.seconds(1))) { Future(object.pass(1)) }
        }
        #expect(census.alive == 1 && time.pendingCount == 1)
        let second = enqueue(2, in: queue)
        #expect(census.alive == 0 && time.pendingCount == 0)
        gate.succeed()
        #expect(first.success == 0 && second.success == 2)
        try time.checkNothingPending()
    }
}
