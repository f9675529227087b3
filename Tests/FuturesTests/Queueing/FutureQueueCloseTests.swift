// Aborting, closing, pausing and observing a queue. Contract/Queues.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureQueueCloseTests {
    @Test func `aborting fails the operations that wait or run, and cancels what those wait for`() {
        let queue = FutureQueue()
        let log = Log<String>()
        let kept = Shared<Future<Int>.Completion?>(nil)
        let running = queue.on(.immediate).enqueue {
            Future<Int>(on: .immediate) {
                kept.value = $0
                return Disposer { log.add("disposed") }
            }
        }
        let waiting = (1...3).map { number in
            queue.on(.immediate).enqueue {
                log.add("begun")
                return Future(number)
            }
        }
        // Listeners do not prevent an abort.
        running.onError(on: .immediate) { _ in log.add("running") }
        for future in waiting { future.onError(on: .immediate) { log.add("waiting \($0 as? Oops == Oops(5))") } }
        queue.cancelAll(with: Oops(5))
        // What other threads may need precedes callbacks.
        #expect(log.entries == ["disposed", "waiting true", "waiting true", "waiting true", "running"])
        #expect(running.error as? Oops == Oops(5))
        #expect(queue.isEmpty)
        #expect(queue.closedError == nil)
        #expect(queue.on(.immediate).enqueue { Future(1) }.success == 1)
    }

    @Test func `operations that wait can be aborted without those that run`() {
        let (queue, keyed) = (FutureQueue(), KeyedFutureQueue<Int>())
        let promise = Promise<Int>()
        let running = queue.on(.immediate).enqueue { promise.future }
        let waiting = queue.on(.immediate).enqueue { Future(2) }
        let others = (1...2).map { key in
            [0, 1].map { _ in keyed[key].on(.immediate).enqueue { promise.future } }
        }
        queue.cancelWaiting()
        keyed[1].cancelWaiting()
        #expect(waiting.isCancelled && !running.isCompleted && queue.runningCount == 1)
        #expect(others.map { $0[1].isCancelled } == [true, false])
        keyed.close(with: Oops(3))
        keyed.cancelWaiting()
        #expect(others.allSatisfy { $0[1].isCancelled } && keyed.closedError as? Oops == Oops(3))
        promise.succeed(7)
        #expect(running.success == 7 && others.map { $0[0].success } == [7, 7])
    }

    @Test func `aborting releases the turn of an operation that waits for its scheduler`() {
        let queue = FutureQueue()
        let (time, begun) = (VirtualTime(), Shared(0))
        let hopping = queue.on(time.scheduler).enqueue { Future(begun.increment()) }
        #expect(queue.runningCount == 1)
        queue.cancelAll()
        #expect(hopping.isCancelled)
        // Its turn is free, although its scheduler has not run it.
        #expect(queue.on(.immediate).enqueue { Future(7) }.success == 7)
        time.run()
        #expect(begun.value == 0)
        #expect(queue.isEmpty)
    }

    @Test func `an operation that listeners of an abort enqueue is not aborted`() {
        let queue = FutureQueue()
        let gate = Promise<Int>()
        let later = Shared<Future<Int>?>(nil)
        queue.on(.immediate).enqueue { gate.future }
        queue.on(.immediate).enqueue { Future(1) }.onError(on: .immediate) { _ in
            later.value = queue.on(.immediate).enqueue { Future(2) }
        }
        queue.cancelAll(with: Oops())
        #expect(later.value?.success == 2)
    }

    @Test func `a closed queue refuses new operations and runs those that it has`() {
        let queue = FutureQueue()
        let gate = Promise<Int>()
        let running = queue.on(.immediate).enqueue { gate.future }
        let waiting = queue.on(.immediate).enqueue { Future(2) }
        let closed = queue.close()
        let refused = queue.on(.immediate).enqueue { Future(3) }
        #expect(refused.error as? QueueError == .closed)
        #expect(queue.closedError as? QueueError == .closed)
        #expect(!closed.isCompleted)
        gate.succeed(1)
        #expect(running.success == 1)
        #expect(waiting.success == 2)
        #expect(closed.isCompleted)
    }
}

extension FutureQueueCloseTests {
    @Test func `a paused queue starts nothing and continues when it is resumed`() {
        let queue = FutureQueue(maxConcurrentCount: 2)
        let (gate, log) = (Promise<Int>(), Log<Int>())
        queue.on(.immediate).enqueue { gate.future }
        queue.isPaused = true
        #expect(queue.isPaused)
        for number in 1...3 {
            queue.on(.immediate).enqueue {
                log.add(number)
                return Future(number)
            }
        }
        gate.succeed(1)
        #expect(log.entries == [])
        #expect(queue.waitingCount == 3)
        queue.isPaused = false
        #expect(!queue.isPaused)
        #expect(log.entries == [1, 2, 3])
    }

    @Test func `a paused queue resumes when its last reference is released`() {
        var queue: FutureQueue<Void>? = FutureQueue()
        queue?.isPaused = true
        let future = queue?.on(.immediate).enqueue { Future(1) }
        #expect(future?.success == nil)
        queue = nil
        #expect(future?.success == 1)
    }
}
