// How many operations of a queue run concurrently, when that changes. Contract/Queues.md

import Futures
import Testing

@Suite struct FutureQueueMaxConcurrentCountTests {
    private let log = Log<Int>()
    private let promises = (0..<5).map { _ in Promise<Void>() }

    /// Enqueues operations that run until their promise is completed.
    private func enqueueAll(in queue: FutureQueue<Void>) {
        for (number, promise) in promises.enumerated() {
            queue.on(.immediate).enqueue { [log] in
                log.add(number)
                return promise.future
            }
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

    @Test func `of a keyed queue, the limit of all keys changes, and each key keeps its own`() {
        let queue = KeyedFutureQueue<Int>(maxConcurrentCount: 1)
        for key in [1, 1, 2, 3] {
            queue[key].on(.immediate).enqueue { [log, promises] in
                log.add(key)
                return promises[0].future
            }
        }
        queue.maxConcurrentCount = 2
        #expect(log.entries == [1, 2])
        promises[0].succeed()
        #expect(log.entries.sorted() == [1, 1, 2, 3])
    }

    @Test func `operations start in the order of their turns, whichever callback has ended the turn before`() {
        let queue = FutureQueue(maxConcurrentCount: 2)
        for promise in promises[0..<2] { queue.on(.immediate).enqueue { promise.future } }
        for number in 1...2 { _ = queue.on(.immediate).run { [log] in log.add(number) } }
        call { [promises] in
            // Called behind this callback, ahead of the operation that has its turn by then.
            Future(1).onValue(on: .immediate) { _ in promises[1].succeed() }
            promises[0].succeed()
        }
        #expect(log.entries == [1, 2])
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

    @Test(arguments: [Scheduler.background, Scheduler(label: "other")])
    func `operations that get turns at the same time do not wait for each other's closures`(_ other: Scheduler) async {
        let (queue, told) = (FutureQueue(maxConcurrentCount: 2), Promise<Int>())
        queue.isPaused = true
        let first = queue.on(.background).enqueue { Future(try told.future.wait(timeout: testTimeout)) }
        _ = queue.on(other).run { told.succeed(1) }
        Scheduler.background.async { queue.isPaused = false }
        #expect(try! await first.arrival().get() == 1)
    }
}
