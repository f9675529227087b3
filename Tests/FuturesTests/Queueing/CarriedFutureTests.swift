// Futures in the values of operations. Contract/Queues.md

import Futures
import Testing

@Suite struct CarriedFutureTests {
    /// An operation whose value contains `gate`, and another operation behind it.
    private typealias Way = @Sendable (_ gate: Future<Int>) -> (first: any Sendable, next: Future<Void>)

    private static let ways: [Way] = [
        { gate in
            let queue = FutureQueue()
            return (
                queue.enqueue(on: .immediate) { Future(1).map(on: .immediate) { _ in gate } },
                queue.runSync(on: .immediate) {}
            )
        },
        { gate in
            let queue = FutureQueue()
            return (
                queue.enqueue(on: .immediate) { Future(1).map(on: .immediate) { _ in Optional(gate) } },
                queue.runSync(on: .immediate) {}
            )
        },
        { gate in
            let queue = FutureQueue()
            return (queue.enqueueBatch(on: .immediate) { _ in Future(gate) }, queue.runSync(on: .immediate) {})
        },
        { gate in
            let (queue, isOver) = (FutureQueue(), Shared(false))
            let first = queue.enqueue(on: .immediate) {
                Future(gate)
            } finally: { _ in
                isOver.value = gate.isCompleted
                return Future()
            }
            return (first, queue.runSync(on: .immediate) { #expect(isOver.value) })
        },
        { gate in
            let queue = KeyedFutureQueue<Int>()
            return (queue.enqueue(on: .immediate, for: 1) { Future(gate) }, queue.runSync(on: .immediate, for: 1) {})
        },
        { gate in
            let semaphore = FutureSemaphore(count: 1)
            return (semaphore.enqueue(on: .immediate) { Future(gate) }, semaphore.acquire().asVoid())
        },
        { gate in
            let mutex = FutureMutex()
            return (mutex.enqueue(on: .immediate) { Future(gate) }, mutex.lock().asVoid())
        },
        { gate in
            let lock = FutureReadWriteLock()
            return (lock.enqueueReading(on: .immediate) { Future(gate) }, lock.lockForWriting().asVoid())
        },
        { gate in
            let pool = ResourcePool(maxCount: 1, on: .immediate) { Future(1) }
            return (pool.enqueue(on: .immediate) { _ in Future(gate) }, pool.enqueue(on: .immediate) { _ in Future() })
        },
        { gate in
            let line = Serial()
            return (
                Deferred { gate }.serially(on: line).start(on: .immediate),
                Deferred(()).serially(on: line).start(on: .immediate)
            )
        },
    ]

    @Test func `a future in the value of an operation keeps the turn until it has completed`() {
        for (index, way) in Self.ways.enumerated() {
            let gate = Promise<Int>()
            let (first, next) = way(gate.future)
            #expect(!next.isCompleted, "\(index)")
            gate.fail(Oops())
            #expect(next.isCompleted, "\(index)")
            withExtendedLifetime(first) {}
        }
    }

    @Test func `cancelling such an operation cancels the future in its value`() {
        let (queue, cancelled) = (FutureQueue(), Shared(false))
        let first = queue.enqueue(on: .immediate) {
            Future(1).map(on: .immediate) { _ in stoppable { cancelled.value = true } }
        }
        let next = queue.runSync(on: .immediate) {}
        #expect(!cancelled.value && !next.isCompleted)
        first.cancel()
        #expect(cancelled.value && next.isCompleted)
    }

    @Test func `an operation whose value is the future of one behind it fails`() {
        let queue = FutureQueue()
        let first = queue.enqueue(on: .immediate) {
            Future(1).map(on: .immediate) { _ in queue.enqueue(on: .immediate) { Future(2) } }
        }
        #expect(first.error is QueueError)
        let second = queue.enqueue(on: .immediate) { Future(1).map(on: .immediate) { _ in queue.drained() } }
        #expect(second.error is QueueError)
        #expect(queue.isEmpty)
    }

    @Test func `a cleanup waits for the future in a value, also if the operation was cancelled`() {
        for isCarried in [false, true] {
            let (queue, loading, saving) = (FutureQueue(), Promise<Future<Int>>(), Promise<Int>())
            let (cleaned, heard) = (Shared(false), Shared(0))
            let first = queue.enqueue(on: .immediate) {
                loading.future.onValue(on: .immediate) { _ in heard.increment() }
                return loading.future
            } finally: { _ in
                cleaned.value = true
                return Future()
            }
            if isCarried { loading.succeed(saving.future) }
            saving.future.onValue(on: .immediate) { _ in heard.increment() }
            first.cancel()
            // Both futures have other listeners, so neither is cancelled.
            #expect(!cleaned.value)
            loading.succeed(saving.future)
            #expect(!cleaned.value)
            saving.succeed(1)
            #expect(cleaned.value && heard.value == 2 && queue.isEmpty)
        }
    }

    @Test func `a batch that returns its own future fails, whatever its value is`() {
        let (queue, own, made) = (FutureQueue(), Shared<Future<Future<Int>>?>(nil), Signal())
        let batch = queue.enqueueBatch(on: .background) { _ -> Future<Future<Int>> in
            #expect(made.comes())
            return own.value!
        }
        own.value = batch
        made.send()
        #expect(throws: FutureError.awaitsItself) { try batch.wait(timeout: testTimeout) }
    }
}
