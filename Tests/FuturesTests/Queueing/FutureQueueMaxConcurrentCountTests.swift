// How many operations of a queue run concurrently, when that changes. Contract/Queues.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureQueueMaxConcurrentCountTests {
    /// Enqueues operations that run until their promise is completed.
    private func enqueue(_ count: Int, in queue: FutureQueue<Void>, _ log: Log<Int>) -> [Promise<Void>] {
        (0..<count).map { number in
            let promise = Promise<Void>()
            queue.on(.immediate).enqueue {
                log.add(number)
                return promise.future
            }
            return promise
        }
    }

    @Test func `more operations start, in their order, as soon as more may run`() {
        let (queue, log) = (FutureQueue(), Log<Int>())
        let promises = enqueue(5, in: queue, log)
        #expect(queue.maxConcurrentCount == 1 && log.entries == [0])
        queue.maxConcurrentCount = 3
        #expect(queue.maxConcurrentCount == 3 && log.entries == [0, 1, 2] && queue.runningCount == 3)
        promises[1].succeed()
        #expect(log.entries == [0, 1, 2, 3])
        queue.maxConcurrentCount = .max
        #expect(log.entries == [0, 1, 2, 3, 4])
        withExtendedLifetime(promises) {}
    }

    @Test func `if fewer may run, those that run continue, and none starts before`() {
        let (queue, log) = (FutureQueue(maxConcurrentCount: 3), Log<Int>())
        let promises = enqueue(5, in: queue, log)
        queue.maxConcurrentCount = 1
        #expect(queue.runningCount == 3)
        for number in [2, 0] {
            promises[number].succeed()
            #expect(log.entries == [0, 1, 2])
        }
        promises[1].succeed()
        #expect(log.entries == [0, 1, 2, 3] && queue.runningCount == 1)
        withExtendedLifetime(promises) {}
    }

    @Test func `of a keyed queue, the limit of all keys changes, and each key keeps its own`() {
        let (queue, log, gate) = (KeyedFutureQueue<Int>(maxConcurrentCount: 1), Log<Int>(), Promise<Void>())
        for key in [1, 1, 2, 3] {
            queue[key].on(.immediate).enqueue {
                log.add(key)
                return gate.future
            }
        }
        #expect(log.entries == [1])
        queue.maxConcurrentCount = 2
        #expect(queue.maxConcurrentCount == 2 && log.entries == [1, 2])
        gate.succeed()
        #expect(log.entries.sorted() == [1, 1, 2, 3] && queue.isEmpty)
    }
}
