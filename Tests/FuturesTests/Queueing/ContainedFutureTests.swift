// Futures in the values of operations. Contract/Turns.md

import Futures
import Testing

@Suite struct ContainedFutureTests {
    /// An operation whose value contains `gate`, and another operation behind it.
    private typealias Way = @Sendable (_ gate: Future<Int>) -> (first: any Sendable, next: Future<Void>)

    private static let ways: [Way] = [
        { gate in
            let queue = FutureQueue()
            return (queue.on(.immediate).run { gate }, queue.on(.immediate).run {})
        },
        { gate in
            let queue = FutureQueue()
            return (queue.on(.immediate).run { Optional(gate) }, queue.on(.immediate).run {})
        },
        { gate in
            let queue = FutureQueue()
            return (queue.on(.immediate).run { [Future(1), gate] }, queue.on(.immediate).run {})
        },
        { gate in
            let queue = FutureQueue(resource: gate)
            return (queue.on(.immediate).run { [Optional($0)] }, queue.on(.immediate).run { _ in })
        },
        { gate in
            let queue = FutureQueue()
            return (
                queue.on(.immediate).enqueue { Future(1).map(on: .immediate) { _ in gate } },
                queue.on(.immediate).run {}
            )
        },
        { gate in
            let queue = FutureQueue()
            return (queue.on(.immediate).batch().enqueue { _ in Future(gate) }, queue.on(.immediate).run {})
        },
        { gate in
            let (queue, isOver) = (FutureQueue(), Shared(false))
            let first = queue.on(.immediate).enqueue {
                Future(gate)
            } finally: { _, _ in
                isOver.value = gate.isCompleted
                return Future()
            }
            return (first, queue.on(.immediate).run { #expect(isOver.value) })
        },
        { gate in
            let queue = KeyedFutureQueue<Int>()
            return (queue[1].on(.immediate).run { gate }, queue[1].on(.immediate).run {})
        },
        { gate in
            let lock = FutureReadWriteLock()
            return (lock.reading.on(.immediate).run { gate }, lock.writing.acquire().asVoid())
        },
        { gate in
            let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) { Future(1) }
            return (pool.on(.immediate).run { _ in gate }, pool.on(.immediate).run { _ in })
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

    @Test func `a future in the value of an asynchronous operation keeps the turn until it has completed`() async throws
    {
        let (queue, gate) = (FutureQueue(), Promise<Int>())
        let first = queue.run { () async -> Future<Int> in gate.future }
        let inner = first.map(on: .immediate) { $0.isCompleted }
        let next = queue.run { gate.future.isCompleted }
        #expect(await comesTrue { queue.runningCount == 1 })
        gate.succeed(1)
        #expect(try await inner.value)
        #expect(try await next.value)
    }

    @Test func `cancelling such an operation cancels the future in its value`() {
        let (queue, cancelled) = (FutureQueue(), Shared(false))
        let first = queue.on(.immediate).enqueue {
            Future(1).map(on: .immediate) { _ in stoppable { cancelled.value = true } }
        }
        let next = queue.on(.immediate).run {}
        #expect(!cancelled.value && !next.isCompleted)
        first.cancel()
        #expect(cancelled.value && next.isCompleted)
    }

    @Test func `an operation whose value is the future of one behind it fails`() {
        let queue = FutureQueue()
        let first = queue.on(.immediate).enqueue {
            Future(1).map(on: .immediate) { _ in queue.on(.immediate).enqueue { Future(2) } }
        }
        expectDeadlocks { queue.isEmpty }
        #expect(first.error is QueueError)
        let second = queue.on(.immediate).enqueue { Future(1).map(on: .immediate) { _ in queue.drained() } }
        expectDeadlocks { queue.isEmpty }
        #expect(second.error is QueueError)
        #expect(queue.isEmpty)
    }

    @Test func `a cleanup waits for the future in a value, also if the operation was cancelled`() {
        for isContained in [false, true] {
            let (queue, loading, saving) = (FutureQueue(), Promise<Future<Int>>(), Promise<Int>())
            let (cleaned, heard) = (Shared(false), Shared(0))
            let first = queue.on(.immediate).enqueue {
                loading.future.onValue(on: .immediate) { _ in heard.increment() }
                return loading.future
            } finally: { _, _ in
                cleaned.value = true
                return Future()
            }
            if isContained { loading.succeed(saving.future) }
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
}
