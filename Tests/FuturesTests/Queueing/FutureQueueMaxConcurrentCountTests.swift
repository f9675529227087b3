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

    @Test func `a paused queue starts none when more may run`() {
        let (queue, log) = (FutureQueue(), Log<Int>())
        queue.isPaused = true
        let promises = enqueue(2, in: queue, log)
        queue.maxConcurrentCount = 2
        #expect(log.entries == [])
        queue.isPaused = false
        #expect(log.entries == [0, 1])
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

    @Test func `a queue that waits for its emptiness or capacity is not disturbed when its limit changes`() {
        let queue = FutureQueue(maxConcurrentCount: 1, maxWaitingCount: 1)
        queue.maxConcurrentCount = 2
        let promises = enqueue(3, in: queue, Log())
        let drained = queue.drained()
        let capacity = queue.capacityAvailable()
        #expect(!capacity.isCompleted)
        queue.maxConcurrentCount = 3
        #expect(capacity.isCompleted && !drained.isCompleted)
        for promise in promises { promise.succeed() }
        #expect(drained.isCompleted)
    }

    @Test func `a lowered limit that leaves an operation waiting for another one behind it is a deadlock`() {
        let queue = FutureQueue(maxConcurrentCount: 2)
        let (begun, other) = (Promise<Void>(), Promise<Int>())
        let waiting = Guarded<Future<Int>?>(nil)
        let first = queue.on(.immediate).enqueue {
            begun.future.flatMap(on: .immediate) { waiting.with { $0! } }
        }
        let second = queue.on(.immediate).enqueue { other.future }
        let third = queue.on(.immediate).enqueue { Future(3) }
        waiting.with { $0 = third }
        begun.succeed()
        // The third one would start when the second one has completed.
        lookForDeadlocks()
        #expect(!first.isCompleted)
        queue.maxConcurrentCount = 1
        other.succeed(2)
        expectDeadlocks { queue.isEmpty }
        // The first one was its only listener, so it was cancelled.
        #expect(second.success == 2 && third.isCancelled && queue.isEmpty)
        #expect(first.error.map { if case .deadlock = $0 as? QueueError { true } else { false } } == true)
    }
}
