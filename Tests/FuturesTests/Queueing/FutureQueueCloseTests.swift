// Aborting, closing, pausing and observing a queue. Contract/Closing.md

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

    @Test func `a cleanup of an aborted operation gets the error of the abort`() {
        let (queue, log) = (FutureQueue(), Log<Oops?>())
        let running = queue.on(.immediate).enqueue {
            Future<Int>.never
        } finally: { _, result in
            if case .failure(let error) = result { log.add(error as? Oops) }
            return Future()
        }
        queue.cancelAll(with: Oops(8))
        #expect(log.entries == [Oops(8)] && running.error as? Oops == Oops(8))
    }

    @Test func `an aborted operation keeps its turn until its closure has returned`() {
        let queue = FutureQueue()
        let log = Log<String>()
        let inner = Promise<Int>()
        let running = queue.on(.immediate).enqueue {
            queue.cancelAll()
            queue.on(.immediate).enqueue {
                log.add("next begins")
                return Future(2)
            }
            log.add("closure returns")
            return inner.future
        }
        #expect(log.entries == ["closure returns", "next begins"])
        #expect(running.isCancelled)
        #expect(inner.future.isCancelled)
        #expect(queue.isEmpty)
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

    @Test func `a queue stays closed, with its first error`() {
        let queue = FutureQueue()
        queue.close(with: Oops(1))
        queue.close(with: Oops(2))
        queue.close(with: Oops(3))
        queue.cancelAll(with: Oops(3))
        #expect(queue.closedError as? Oops == Oops(1))
        #expect(queue.on(.immediate).enqueue { Future(3) }.error as? Oops == Oops(1))
    }

    @Test func `aborting can close the queue before listeners are called`() {
        let queue = FutureQueue()
        let gate = Promise<Int>()
        queue.on(.immediate).enqueue { gate.future }
        let errors = Log<Oops>()
        queue.on(.immediate).enqueue { Future(1) }.onError(on: .immediate) { _ in
            queue.on(.immediate).enqueue { Future(2) }.onError(on: .immediate) { errors.add($0 as! Oops) }
        }
        queue.close(with: Oops(1))
        queue.cancelAll(with: Oops(1))
        #expect(errors.entries == [Oops(1)])
    }

    @Test func `a repeated operation finds a closed queue closed`() {
        let queue = FutureQueue()
        let runs = Shared(0)
        let gate = Promise<Int>()
        queue.on(.immediate).enqueue { gate.future }
        let repeated = queue.on(.immediate).enqueue { () -> Future<Int> in
            runs.increment()
            return Future(error: Oops())
        }.onErrorRepeat(on: .immediate) { !($0 is QueueError) }
        queue.close()
        gate.succeed(1)
        #expect(repeated.error as? QueueError == .closed)
        #expect(runs.value == 1)
    }
}

extension FutureQueueCloseTests {
    @Test func `a queue counts its waiting and its running operations`() {
        let queue = FutureQueue(maxConcurrentCount: 2)
        let gates = (0..<5).map { _ in Promise<Int>() }
        let futures = gates.map { gate in queue.on(.immediate).enqueue { gate.future } }
        #expect(queue.runningCount == 2)
        #expect(queue.waitingCount == 3)
        #expect(!queue.isEmpty)
        futures[3].cancel()
        #expect(queue.waitingCount == 2)
        gates[1].succeed(1)
        #expect(queue.runningCount == 2)
        #expect(queue.waitingCount == 1)
        for gate in gates { gate.succeed(1) }
        #expect(queue.runningCount == 0)
        #expect(queue.waitingCount == 0)
        #expect(queue.isEmpty)
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

    @Test func `a queue is deallocated with its last operation`() {
        let census = Census()
        let gate = Promise<Int>()
        do {
            let queue = FutureQueue(resource: census.make())
            queue.on(.immediate).enqueue { $0.pass(gate.future) }
            queue.on(.immediate).enqueue { $0.pass(Future(1)) }
            _ = queue.drained()
        }
        #expect(census.alive == 1)
        gate.succeed(1)
        #expect(census.alive == 0)
    }

    @Test func `an aborted queue is deallocated, and so is a closed one`() {
        let census = Census()
        for closes in [true, false] {
            let queue = FutureQueue(resource: census.make())
            queue.on(.immediate).enqueue { $0.pass(Future<Int>.never) }
            queue.on(.immediate).enqueue { $0.pass(Future(1)) }
            if closes {
                queue.close()
            } else {
                queue.close(with: Oops())
                queue.cancelAll(with: Oops())
            }
        }
        #expect(census.alive == 0)
    }
}
