// Deadlocks: operations that wait for others behind them in their queue. Contract/Turns.md

import Futures
import FuturesTesting
import Testing

@Suite struct QueueDeadlockTests {
    private let time = VirtualTime(), queue = FutureQueue()
    private static let outer = FutureError.SourceLocation("outer", line: 1)
    private static let inner = FutureError.SourceLocation("inner", line: 2)
    private let deadlock = QueueError.deadlock(running: outer, waiting: inner)

    @Test func `an operation that returns the future of one enqueued behind it fails, and the error names both`() {
        let (inner, keyed) = (Shared<Future<Int>?>(nil), KeyedFutureQueue<Int>())
        let outer = queue.on(.immediate).enqueue(file: "outer", line: 1) { [queue] in
            let future = queue.on(.immediate).enqueue(file: "inner", line: 2) { Future(2) }
            inner.value = future
            return future
        }
        let ofKey = keyed[1].on(.immediate).enqueue(file: "outer", line: 1) {
            keyed[1].on(.immediate).enqueue(file: "inner", line: 2) { Future(2) }
        }
        expectDeadlocks { queue.isEmpty && keyed.isEmpty }
        #expect(outer.error as? QueueError == deadlock)
        #expect(ofKey.error as? QueueError == deadlock)
        #expect("\(outer.error!)".contains("outer:1 waits for the one enqueued at inner:2"))
        // It had no other listener.
        #expect(inner.value?.isCancelled == true)
    }

    @Test func `an operation that waits for one behind it does not fail if that has a time limit on its wait`() {
        let first = queue.on(.immediate).enqueue { [queue, time] in
            queue.on(time.scheduler).enqueue(with: .waitTimeout(.seconds(1))) { Future(1) }
                .recover(on: .immediate) { _ in 7 }
        }
        lookForDeadlocks()
        #expect(!first.isCompleted)
        time.advance(by: .seconds(1))
        #expect(first.success == 7)
    }

    @Test func `an operation does not fail if a time limit between it and the one behind it ends its wait`() {
        let (other, lock) = (FutureQueue(), FutureReadWriteLock())
        let through = queue.on(.immediate).enqueue { [queue, time] in
            let behind = queue.on(.immediate).enqueue { Future(1) }
            return other.on(time.scheduler).enqueue(with: .runTimeout(.seconds(1))) { behind }
                .recover(on: .immediate) { _ in 7 }
        }
        let reader = lock.reading.on(.immediate).enqueue { [time] in
            lock.writing.on(time.scheduler).enqueue(with: .waitTimeout(.seconds(1))) { Future(1) }
            return lock.reading.on(.immediate).enqueue { Future(3) }
        }
        time.run()
        lookForDeadlocks()
        #expect([through, reader].map(\.isCompleted) == [false, false])
        time.advance(by: .seconds(1))
        #expect([through, reader].map(\.success) == [7, 3])
    }

    @Test func `an operation does not fail if the time limit of another one frees the turn that it waits for`() {
        let (queue, gate) = (FutureQueue(maxConcurrentCount: 2), Promise<Void>())
        func add(_ options: TurnOptions) -> Future<Int> {
            queue.on(time.scheduler).enqueue(with: options) {
                gate.future.flatMap(on: .immediate) { queue.on(.immediate).enqueue { Future(5) } }
            }
        }
        let (unlimited, limited) = (add(.init()), add(.runTimeout(.seconds(1))))
        time.run()
        gate.succeed()
        lookForDeadlocks()
        #expect(!unlimited.isCompleted)
        time.advance(by: .seconds(1))
        #expect(unlimited.success == 5)
        #expect(limited.error as? QueueError == .runTimedOut(after: .seconds(1)))
    }

    @Test func `a reader that waits for a writer of its lock fails when the other readers have ended`() {
        let lock = FutureReadWriteLock()
        let permit = lock.reading.acquire().success
        let upgrade = lock.reading.on(.immediate).enqueue { lock.writing.on(.immediate).enqueue { Future(1) } }
        #expect(!upgrade.isCompleted)
        permit?.release()
        expectDeadlocks { upgrade.error is QueueError }
        #expect(lock.isEmpty)
    }

    @Test func `a deadlock is found within two seconds of the queue's clock, also one of two queues`() {
        let (first, second, gate) = (FutureQueue(), FutureQueue(), Promise<Void>())
        func add(_ queue: FutureQueue<Void>, waitingFor other: FutureQueue<Void>) -> Future<Int> {
            queue.on(time.scheduler).enqueue { [time] in
                gate.future.flatMap(on: time.scheduler) { other.on(time.scheduler).enqueue { Future(1) } }
            }
        }
        let own = add(queue, waitingFor: queue)
        let both = [add(first, waitingFor: second), add(second, waitingFor: first)]
        time.run()
        gate.succeed()
        time.run()
        #expect(!own.isCompleted)
        time.advance(by: .seconds(2))
        #expect(own.error is QueueError)
        #expect(both.count { $0.error is QueueError } == 1)
        #expect(both.count { $0.success != nil } == 1)
        #expect([queue, first, second].map(\.isEmpty) == [true, true, true])
    }

    @Test func `an operation that waits for several futures fails if it needs one behind it`() {
        let (either, gate) = (FutureQueue(), Promise<Int>())
        let future = queue.on(time.scheduler).enqueue { [queue, time] in
            join([Future(1), queue.on(time.scheduler).enqueue { Future(2) }]).map(on: .immediate) { $0[1] }
        }
        let free = either.on(time.scheduler).enqueue { [time] in
            select(between: [gate.future, either.on(time.scheduler).enqueue { Future(2) }])
        }
        time.advance(by: .seconds(3))
        #expect(future.error is QueueError)
        #expect(!free.isCompleted)
        gate.succeed(1)
        time.run()
        #expect(free.success == 1)
    }

    @Test func `a concurrent queue is deadlocked only when all running operations wait for others behind them`() {
        let (queue, gates) = (FutureQueue(maxConcurrentCount: 2), [Promise<Int>(), Promise<Int>()])
        let outer = gates.map { gate in
            queue.on(.immediate).enqueue {
                gate.future.flatMap(on: .immediate) { number in queue.on(.immediate).enqueue { Future(number) } }
            }
        }
        gates[0].succeed(1)
        lookForDeadlocks()
        #expect(!outer[0].isCompleted)
        gates[1].succeed(2)
        expectDeadlocks { queue.isEmpty }
        #expect(outer.count { $0.error is QueueError } == 1)
        #expect(outer.count { $0.success != nil } == 1)
    }

    @Test func `a paused queue is not a deadlock`() {
        let outer = queue.on(.immediate).enqueue { [queue] in
            queue.isPaused = true
            queue.maxConcurrentCount = 2
            return queue.on(.immediate).enqueue { Future(2) }
        }
        lookForDeadlocks()
        #expect(!outer.isCompleted)
        queue.isPaused = false
        #expect(outer.success == 2)
    }

    @Test(arguments: [false, true])
    func `an operation that waits for one behind it fails, even if a rate or a pause delays that one`(isPaused: Bool) {
        let queue = FutureQueue(rate: .window(isPaused ? 9 : 1, per: .seconds(3600), on: time.scheduler))
        let outer = queue.on(time.scheduler).enqueue {
            queue.isPaused = isPaused
            return queue.on(.immediate).enqueue { Future(2) }
        }
        time.advance(by: .seconds(3))
        #expect(outer.error is QueueError)
    }

    private static let forms: [@Sendable (FutureQueue<Void>) -> Future<Void>] = [
        { $0.drained() }, { $0.close() }, { $0.drained().map(on: .immediate) { $0 } },
    ]

    @Test(arguments: 0..<forms.count, [1, 3])
    func `an operation that waits for its own queue to be empty fails`(_ form: Int, _ count: Int) {
        let (queue, other) = (FutureQueue(maxConcurrentCount: count), Promise<Int>())
        if count > 1 { queue.on(.immediate).enqueue { other.future } }
        let future = queue.on(.immediate).enqueue(file: "outer", line: 1) { Self.forms[form](queue) }
        expectDeadlocks { future.isCompleted }
        #expect(future.error as? QueueError == .deadlock(running: Self.outer, waiting: Self.outer))
        #expect("\(future.error!)".hasPrefix("The operation enqueued at outer:1 waits for itself"))
        other.succeed(1)
        #expect(queue.isEmpty)
    }

    @Test(arguments: [false, true])
    func `an operation of a batch that waits for the batch or for its queue to be empty fails`(waitsForBatch: Bool) {
        let gate = Promise<Int>()
        let (inner, own) = (Shared<Future<Void>?>(nil), Shared<Future<Void>?>(nil))
        own.value = queue.on(.immediate).enqueueBatch { queue in
            queue.on(.immediate).enqueue { gate.future }
            inner.value = queue.on(.immediate).enqueue(file: "outer", line: 1) {
                waitsForBatch ? own.value! : queue.drained()
            }
            return Future()
        }
        // Without a listener, the batch would be cancelled.
        let listener = own.value?.map(on: .immediate) { 1 }
        gate.succeed(1)
        expectDeadlocks { queue.isEmpty }
        #expect(inner.value?.error as? QueueError == .deadlock(running: Self.outer, waiting: Self.outer))
        #expect(listener?.success == 1)
    }
}
