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
}
