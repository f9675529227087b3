// How many operations of a queue run concurrently, when that changes. Contract/Queues.md

import Futures
import Testing

@Suite struct FutureQueueMaxConcurrentCountTests {
    private let log = Log<Int>(), promises = (0..<5).map { _ in Promise<Void>() }

    /// Enqueues operations that run until their promise is completed.
    private func enqueueAll(in queue: FutureQueue<Void>) {
        for (number, promise) in promises.enumerated() {
            queue.on(.immediate).enqueue { [log] in log.add(number, returning: promise.future) }
        }
    }

    @Test func `more operations start, in their order, as soon as more may run`() {
        let queue = FutureQueue()
        enqueueAll(in: queue)
        #expect(log.entries == [0])
        queue.maxConcurrentCount = 3
        #expect(queue.maxConcurrentCount == 3)
        #expect(log.entries == [0, 1, 2])
        promises[1].succeed()
        #expect(log.entries == [0, 1, 2, 3])
        queue.maxConcurrentCount = .max
        #expect(log.entries == [0, 1, 2, 3, 4])
    }

    @Test func `if fewer may run, those that run continue, and none starts before`() {
        let queue = FutureQueue(maxConcurrentCount: 3)
        enqueueAll(in: queue)
        queue.maxConcurrentCount = 1
        #expect(queue.runningCount == 3)
        promises[2].succeed()
        promises[0].succeed()
        #expect(log.entries == [0, 1, 2])
        promises[1].succeed()
        #expect(log.entries == [0, 1, 2, 3])
    }

    @Test func `an operation that hops starts at once, although one in place has yet to start`() {
        let (queue, other, signal) = (FutureQueue(maxConcurrentCount: 3), Scheduler(label: "other"), Signal())
        call { [log] in
            _ = queue.on(.immediate).run { log.add(1) }
            _ = queue.on(other).run { signal.send() }
            log.add(signal.comes() ? 0 : -1)
        }
        #expect(log.entries == [0, 1])
    }
}
