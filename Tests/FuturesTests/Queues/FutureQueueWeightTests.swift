// Weights: operations and permits that take several of the turns of a limit. Contract/Queues.md

import Futures
import Testing

@Suite struct FutureQueueWeightTests {
    private let gates = (0..<4).map { _ in Promise<Int>() }, begun = Log<Int>()

    @discardableResult
    private func enqueue(_ weights: [Int], in queue: FutureQueue<Void>) -> [Future<Int>] {
        weights.enumerated().map { number, weight in
            queue.on(.immediate).enqueue(with: .weight(weight)) { [gates, begun] in
                begun.add(number, returning: gates[number].future)
            }
        }
    }

    @Test func `an operation starts when its weight fits beside those that run, and none overtakes it`() {
        let queue = FutureQueue(maxConcurrentCount: 5)
        enqueue([2, 2, 4, 1], in: queue)
        gates[0].succeed(0)
        // The last one would fit.
        #expect(begun.entries == [0, 1])
        gates[1].succeed(1)
        #expect(begun.entries == [0, 1, 2, 3])
        gates[2].succeed(2)
        gates[3].succeed(3)
        #expect(queue.runningCount == 0)
    }

    @Test func `an operation that is heavier than the limit fails immediately`() {
        let queue = FutureQueue(maxConcurrentCount: 5)
        let error = enqueue([6], in: queue)[0].error
        #expect(error as? QueueError == .tooHeavy(weight: 6, limit: 5))
        #expect(error.map { "\($0)" }?.contains("a weight of 6, and its queue a limit of 5") == true)
        #expect(FutureMutex().acquire(2).error is QueueError)
        #expect(FutureSemaphore(count: 3).acquireIfAvailable(4) == nil)
        // A resource of a pool is one.
        let pool = ResourcePool(maxCount: 1, on: .immediate) { Future(1) }
        #expect(pool.on(.immediate).run(with: .weight(2)) { $0 }.success == 1)
    }

    @Test func `an operation runs alone if the limit became smaller than its weight while it waited`() {
        let queue = FutureQueue(maxConcurrentCount: 5)
        enqueue([5, 5, 1], in: queue)
        queue.maxConcurrentCount = 2
        gates[0].succeed(0)
        #expect(begun.entries == [0, 1])
        gates[1].succeed(1)
        #expect(begun.entries == [0, 1, 2])
    }

    @Test func `a heavy operation that leaves the queue lets those behind it start`() {
        let queue = FutureQueue(maxConcurrentCount: 3)
        enqueue([1, 3, 1, 1], in: queue)[1].cancel()
        #expect(begun.entries == [0, 2, 3])
    }

    @Test func `a light operation starts at once when its priority lets it overtake a heavier one`() {
        let queue = FutureQueue(maxConcurrentCount: 3)
        let light = enqueue([2, 3, 1], in: queue)[2]
        queue.setPriority(.high, of: light)
        #expect(begun.entries == [0, 2])
    }

    @Test func `a permit of several is granted and released as one`() {
        let semaphore = FutureSemaphore(count: 3)
        let first = semaphore.acquire(2).success
        let second = semaphore.acquire(3)
        #expect(semaphore.acquireIfAvailable(1) == nil)
        second.cancel()
        let third = semaphore.acquireIfAvailable(1)
        #expect(semaphore.acquireIfAvailable(1) == nil)
        first?.release()
        #expect(semaphore.acquireIfAvailable(3) == nil)
        third?.release()
        #expect(semaphore.acquireIfAvailable(3) != nil)
    }

    @Test func `the limit of a keyed queue counts weights, and that of a key counts operations`() {
        let queue = KeyedFutureQueue<Int>(maxConcurrentCount: 3)
        for key in 0..<3 {
            queue[key].on(.immediate).enqueue(with: .weight(2)) { [gates, begun] in
                begun.add(key, returning: gates[key].future)
            }
        }
        #expect(begun.entries == [0])
        gates[0].succeed(0)
        #expect(begun.entries == [0, 1])
    }

    @Test func `operations that wait for each other's weights fail with a deadlock`() {
        let (queue, semaphore) = (FutureQueue(maxConcurrentCount: 3), FutureSemaphore(count: 3))
        let outer = queue.on(.immediate).enqueue(with: .weight(2)) {
            queue.on(.immediate).enqueue(with: .weight(2)) { Future(1) }
        }
        // The permit that is not listed may be released.
        let permit = semaphore.acquire(2).success
        let waiting = semaphore.on(.immediate).enqueue {
            semaphore.on(.immediate).enqueue(with: .weight(2)) { Future(1) }
        }
        let cleanup = queue.on(.immediate).enqueue(with: .weight(2)) {
            Future(1)
        } finally: { _, _ in
            queue.on(.immediate).enqueue(with: .weight(2)) { Future() }
        }
        expectDeadlocks { cleanup.isCompleted }
        #expect([outer, cleanup].map { $0.error is QueueError } == [true, true])
        #expect(!waiting.isCompleted)
        permit?.release()
        #expect(waiting.success == 1)
        queue.cancelWaiting()
        #expect(queue.isEmpty)
    }
}
