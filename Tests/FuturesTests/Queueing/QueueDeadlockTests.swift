// Deadlocks: operations that wait for others behind them in their queue. Contract/Turns.md

import Futures
import FuturesTesting
import Testing

@Suite struct QueueDeadlockTests {
    @Test func `an operation that returns the future of one enqueued behind it fails, and the error names both`() {
        let queue = FutureQueue()
        let inner = Shared<Future<Int>?>(nil)
        let outer = queue.on(.immediate).enqueue(file: "outer", line: 1) {
            let future = queue.on(.immediate).enqueue(file: "inner", line: 2) { Future(2) }
            inner.value = future
            return future
        }
        expectDeadlocks { queue.isEmpty }
        #expect(
            outer.error as? QueueError == .deadlock(running: .init("outer", line: 1), waiting: .init("inner", line: 2)))
        #expect("\(outer.error!)".contains("outer:1 waits for the one enqueued at inner:2"))
        // It had no other listener.
        #expect(inner.value?.isCancelled == true)
        #expect(queue.isEmpty)
    }

    @Test func `an operation that waits for one behind it does not fail if that has a time limit on its wait`() {
        let (queue, time) = (FutureQueue(), VirtualTime())
        let first = queue.on(.immediate).enqueue {
            queue.on(time.scheduler).enqueue(with: .waitTimeout(.seconds(1))) { Future(1) }.recover(on: .immediate) {
                _ in 7
            }
        }
        lookForDeadlocks()
        #expect(!first.isCompleted)
        time.advance(by: .seconds(1))
        #expect(first.success == 7)
    }

    @Test func `an operation does not fail if a time limit between it and the one behind it ends its wait`() {
        let time = VirtualTime()
        let (queue, other) = (FutureQueue(), FutureQueue())
        let through = queue.on(.immediate).enqueue {
            let behind = queue.on(.immediate).enqueue { Future(1) }
            return other.on(time.scheduler).enqueue(with: .runTimeout(.seconds(1))) { behind }.recover(on: .immediate) {
                _ in 7
            }
        }
        let drains = other.on(.immediate).enqueue {
            queue.on(time.scheduler).enqueue(with: .runTimeout(.seconds(3))) { other.drained() }.map(on: .immediate) {
                1
            }
            .recover(on: .immediate) { _ in 8 }
        }
        let lock = FutureReadWriteLock()
        let reader = lock.reading.on(.immediate).enqueue {
            lock.writing.on(time.scheduler).enqueue(with: .waitTimeout(.seconds(1))) { Future(1) }
            return lock.reading.on(.immediate).enqueue { Future(3) }
        }
        time.run()
        lookForDeadlocks()
        #expect(!through.isCompleted && !drains.isCompleted && !reader.isCompleted)
        time.advance(by: .seconds(1))
        #expect(through.success == 7 && reader.success == 3)
        time.advance(by: .seconds(3))
        #expect(drains.success == 8)
    }

    @Test func `an operation does not fail if the time limit of another one frees the turn that it waits for`() {
        let (time, queue, gate) = (VirtualTime(), FutureQueue(maxConcurrentCount: 2), Promise<Void>())
        let unlimited = queue.on(.immediate).enqueue {
            gate.future.flatMap(on: .immediate) { queue.on(.immediate).enqueue { Future(5) } }
        }
        let limited = queue.on(time.scheduler).enqueue(with: .runTimeout(.seconds(1))) {
            gate.future.flatMap(on: .immediate) { queue.on(.immediate).enqueue { Future(6) } }
        }
        time.run()
        gate.succeed()
        lookForDeadlocks()
        #expect(!unlimited.isCompleted && !limited.isCompleted)
        time.advance(by: .seconds(1))
        #expect(unlimited.success == 5)
        #expect(limited.error as? QueueError == .runTimedOut(after: .seconds(1)))
    }

    @Test func `a reader that waits for a writer of its lock fails, whatever other readers do`() {
        for isPermit in [true, false] {
            let (lock, other) = (FutureReadWriteLock(), Promise<Int>())
            let permit = isPermit ? lock.reading.acquire().success : nil
            if !isPermit { lock.reading.on(.immediate).enqueue { other.future } }
            let upgrade = lock.reading.on(.immediate).enqueue { lock.writing.on(.immediate).enqueue { Future(1) } }
            #expect(!upgrade.isCompleted)
            expectDeadlocks { upgrade.error is QueueError }
            permit?.release()
            other.succeed(1)
            #expect(lock.runningCount == 0 && lock.waitingCount == 0)
        }
    }

    @Test func `a deadlock is found within two seconds of the queue's clock`() {
        let (time, queue) = (VirtualTime(), FutureQueue())
        let outer = queue.on(time.scheduler).enqueue { queue.on(time.scheduler).enqueue { Future(1) } }
        time.run()
        #expect(!outer.isCompleted)
        time.advance(by: .seconds(2))
        #expect(outer.error is QueueError && queue.isEmpty)
    }

    @Test func `operations of two queues that wait for each other are a deadlock`() {
        let (time, first, second) = (VirtualTime(), FutureQueue(), FutureQueue())
        let gate = Promise<Void>()
        let outer = first.on(time.scheduler).enqueue {
            gate.future.flatMap(on: time.scheduler) { second.on(time.scheduler).enqueue { Future(1) } }
        }
        let other = second.on(time.scheduler).enqueue {
            gate.future.flatMap(on: time.scheduler) { first.on(time.scheduler).enqueue { Future(2) } }
        }
        time.run()
        gate.succeed()
        time.advance(by: .seconds(2))
        #expect([outer, other].count { $0.error is QueueError } == 1)
        #expect([outer, other].count { $0.success != nil } == 1)
        #expect(first.isEmpty && second.isEmpty)
    }

    @Test func `an operation that waits for several futures fails if it needs one behind it`() {
        let (time, queue) = (VirtualTime(), FutureQueue())
        let future = queue.on(time.scheduler).enqueue {
            join([Future(1), queue.on(time.scheduler).enqueue { Future(2) }]).map(on: .immediate) { $0[1] }
        }
        let either = FutureQueue()
        let gate = Promise<Int>()
        let free = either.on(time.scheduler).enqueue {
            select(between: [gate.future, either.on(time.scheduler).enqueue { Future(2) }])
        }
        time.advance(by: .seconds(3))
        #expect(future.error is QueueError && !free.isCompleted)
        gate.succeed(1)
        time.run()
        #expect(free.success == 1)
    }

    @Test func `a concurrent queue is deadlocked only when all running operations wait for others behind them`() {
        let queue = FutureQueue(maxConcurrentCount: 2)
        let gates = [Promise<Int>(), Promise<Int>()]
        let outer = gates.map { gate in
            queue.on(.immediate).enqueue {
                gate.future.flatMap(on: .immediate) { number in queue.on(.immediate).enqueue { Future(number) } }
            }
        }
        gates[0].succeed(1)
        // The other operation may still complete.
        lookForDeadlocks()
        #expect(!outer[0].isCompleted)
        gates[1].succeed(2)
        expectDeadlocks { queue.isEmpty }
        #expect(outer.count { $0.error is QueueError } == 1)
        #expect(outer.count { $0.success != nil } == 1)
        #expect(queue.isEmpty)
    }

    @Test func `an operation can wait for one in another queue, or for one that runs concurrently`() {
        let (queue, other) = (FutureQueue(maxConcurrentCount: 2), FutureQueue())
        let gate = Promise<Int>()
        let first = queue.on(.immediate).enqueue { gate.future }
        other.on(.immediate).enqueue { gate.future }
        let second = queue.on(.immediate).enqueue { other.on(.immediate).enqueue { first } }
        lookForDeadlocks()
        #expect(!second.isCompleted)
        gate.succeed(3)
        #expect(second.success == 3)
    }

    @Test(arguments: [0, 1, 100], [1, 40, 1_000])
    func `a deadlock is detected through any number of steps and waiting operations`(_ others: Int, _ steps: Int) {
        let queue = FutureQueue()
        let gate = Promise<Int>()
        let inner = Log<Future<Int>>()
        let outer = queue.on(.immediate).enqueue {
            gate.future.flatMap(on: .immediate) { _ in
                let waiting = (0..<others).map { _ in queue.on(.immediate).enqueue { Future(1) } }
                for future in waiting { future.onValue(on: .immediate) { _ in } }
                var last = queue.on(.immediate).enqueue { Future(2) }
                inner.add(last)
                for _ in 0..<steps { last = last.map(on: .immediate) { $0 + 1 } }
                return last
            }
        }
        gate.succeed(1)
        expectDeadlocks { queue.isEmpty }
        #expect(outer.error is QueueError)
        #expect(inner.entries.first?.isCancelled == true)
        #expect(queue.isEmpty)
    }

    @Test func `a paused queue is not a deadlock`() {
        let queue = FutureQueue(maxConcurrentCount: 2)
        let outer = queue.on(.immediate).enqueue {
            queue.isPaused = true
            return queue.on(.immediate).enqueue { Future(2) }
        }
        lookForDeadlocks()
        #expect(!outer.isCompleted)
        queue.isPaused = false
        #expect(outer.success == 2)
    }
}
