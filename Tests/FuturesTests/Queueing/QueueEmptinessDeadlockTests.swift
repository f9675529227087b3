// Deadlocks: operations that wait for their own queue to be empty. Contract/Turns.md

import Futures
import FuturesTesting
import Testing

@Suite struct QueueEmptinessDeadlockTests {
    private let waitsForItself = QueueError.deadlock(running: .init("here", line: 1), waiting: .init("here", line: 1))

    /// The ways to wait for a queue to be empty.
    private let forms: [@Sendable (FutureQueue<Void>) -> Future<Void>] = [
        { $0.drained() }, { $0.close() }, { $0.drained().map(on: .immediate) { $0 } },
    ]

    @Test(arguments: [1, 3])
    func `an operation that waits for its own queue to be empty fails`(_ count: Int) {
        for form in forms {
            let queue = FutureQueue(maxConcurrentCount: count)
            let other = Promise<Int>()
            if count > 1 { queue.on(.immediate).enqueue { other.future } }
            let future = queue.on(.immediate).enqueue(file: "here", line: 1) { form(queue) }
            expectDeadlocks { future.isCompleted }
            #expect(future.error as? QueueError == waitsForItself)
            #expect("\(future.error!)".hasPrefix("The operation enqueued at here:1 waits for itself"))
            other.succeed(1)
            #expect(queue.isEmpty)
        }
    }

    @Test(arguments: [1, 3])
    func `an operation that starts to wait for its own queue to be empty later fails too`(_ count: Int) {
        for form in forms {
            let queue = FutureQueue(maxConcurrentCount: count)
            let (gate, other) = (Promise<Int>(), Promise<Int>())
            if count > 1 { queue.on(.immediate).enqueue { other.future } }
            let future = queue.on(.immediate).enqueue(file: "here", line: 1) {
                gate.future.flatMap(on: .immediate) { _ in form(queue) }.map(on: .immediate) { $0 }
            }
            #expect(!future.isCompleted)
            gate.succeed(1)
            expectDeadlocks { future.isCompleted }
            #expect(future.error as? QueueError == waitsForItself)
            other.succeed(1)
            #expect(queue.isEmpty)
        }
    }

    @Test(arguments: [1, 100, 10_000], [false, true])
    func `a wait for an empty queue is detected through any number of steps`(_ steps: Int, _ isLater: Bool) {
        let queue = FutureQueue()
        let gate = Promise<Int>()
        let future = queue.on(.immediate).enqueue(file: "here", line: 1) {
            (isLater ? gate.future : Future(1)).flatMap(on: .immediate) { _ in
                let drained = queue.drained()
                // Among as many other listeners.
                if isLater { for _ in 0..<steps { drained.onValue(on: .immediate) {} } }
                var last = drained
                for _ in 0..<steps { last = last.map(on: .immediate) { $0 } }
                return last
            }
        }
        gate.succeed(1)
        expectDeadlocks { queue.isEmpty }
        #expect(future.error as? QueueError == waitsForItself)
    }

    @Test func `on many threads, only operations that wait for their own queue to be empty fail`() {
        let queue = FutureQueue(maxConcurrentCount: 2)
        let (outer, others) = (Log<Future<Void>>(), Log<Future<Void>>())
        let body: @Sendable () -> Void = {
            for index in 0..<300 {
                if index.isMultiple(of: 3) {
                    outer.add(
                        queue.on(.background).enqueue {
                            Future(on: .background, immediate: { index }).flatMap(on: .immediate) { _ in
                                queue.drained().map(on: .immediate) { $0 }
                            }
                        })
                } else {
                    others.add(queue.on(.background).enqueue { Future() })
                }
            }
        }
        race(body, body)
        expectDeadlocks { queue.isEmpty }
        #expect(outer.entries.allSatisfy { $0.error is QueueError })
        #expect(others.entries.allSatisfy { $0.success != nil })
    }

    @Test func `an operation of a key that waits for its queue to be empty fails`() {
        let gate = Promise<Int>()
        let queue = KeyedFutureQueue<Int>()
        let forms: [@Sendable () -> Future<Void>] = [
            { queue.drained() },
            { gate.future.flatMap(on: .immediate) { _ in queue.drained() } },
            { queue.close() },
        ]
        for form in forms {
            let other = Promise<Int>()
            queue[1].on(.immediate).enqueue { other.future }
            let future = queue[2].on(.immediate).enqueue(file: "here", line: 1) { form() }
            if !gate.future.isCompleted { gate.succeed(1) }
            expectDeadlocks { future.isCompleted }
            #expect(future.error as? QueueError == waitsForItself)
            other.succeed(1)
            #expect(queue.isEmpty)
        }
    }

    @Test func `an operation of a batch that waits for the batch or for the batch's queue to be empty fails`() {
        for waitsForBatch in [false, true] {
            let queue = FutureQueue()
            let gate = Promise<Int>()
            let inner = Shared<Future<Void>?>(nil)
            let own = Shared<Future<Void>?>(nil)
            let batch = queue.on(.immediate).batch().enqueue { queue in
                queue.on(.immediate).enqueue { gate.future }
                inner.value = queue.on(.immediate).enqueue(file: "here", line: 1) {
                    waitsForBatch ? own.value! : queue.drained()
                }
                return Future()
            }
            own.value = batch
            // Without a listener, the batch would be cancelled.
            let listener = batch.map(on: .immediate) { 1 }
            gate.succeed(1)
            expectDeadlocks { queue.isEmpty }
            #expect(inner.value?.error as? QueueError == waitsForItself)
            #expect(listener.success == 1)
            #expect(queue.isEmpty)
        }
    }

    @Test func `an operation can wait for another queue to be empty`() {
        let (queue, other) = (FutureQueue(), FutureQueue())
        let gate = Promise<Int>()
        other.on(.immediate).enqueue { gate.future }
        let future = queue.on(.immediate).enqueue { other.drained() }
        // Other code may wait for the same queue, too.
        let drained = queue.drained()
        lookForDeadlocks()
        #expect(!future.isCompleted && !drained.isCompleted)
        gate.succeed(1)
        #expect(future.success != nil)
        #expect(drained.success != nil)
    }

    @Test func `a failed wait for an empty queue does not fail the other ones`() {
        let queue = FutureQueue()
        let (drained, gate) = (Shared<Future<Void>?>(nil), Promise<Int>())
        let future = queue.on(.immediate).enqueue(file: "here", line: 1) {
            gate.future.flatMap(on: .immediate) { _ in drained.value! }
        }
        drained.value = queue.drained()
        let listener = drained.value!.map(on: .immediate) { 1 }
        gate.succeed(1)
        expectDeadlocks { queue.isEmpty }
        #expect(future.error as? QueueError == waitsForItself)
        #expect(listener.success == 1)
    }

    @Test func `an operation may wait for another queue to be empty, whatever has its turn`() {
        let owners: [@Sendable (@escaping @Sendable () -> Future<Void>) -> Future<Void>] = [
            { wait in FutureQueue().on(.immediate).enqueue(wait) },
            { wait in KeyedFutureQueue<Int>()[1].on(.immediate).enqueue(wait) },
            { wait in FutureMutex().on(.immediate).enqueue(wait) },
            { wait in FutureSemaphore(count: 1).on(.immediate).enqueue(wait) },
            { wait in
                ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) { Future(1) }.on(.immediate).enqueue
                { _ in wait() }
            },
            { wait in
                ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) { Future(1) }
                    .on(.immediate).enqueue { _ in
                        wait()
                    } finally: { _, _ in
                        Future()
                    }
            },
        ]
        for (index, owner) in owners.enumerated() {
            for form in forms {
                let queue = FutureQueue()
                let busy = Promise<Int>()
                queue.on(.immediate).enqueue { busy.future }
                let future = owner { form(queue) }
                lookForDeadlocks()
                #expect(!future.isCompleted)
                busy.succeed(1)
                #expect(future.success != nil, "owner \(index)")
            }
            let batch = owner {
                FutureQueue().on(.immediate).batch().enqueue { $0.on(.immediate).enqueue { Future() } }
            }
            #expect(batch.success != nil, "owner \(index)")
        }
    }
}
