// Batches: several operations in one turn. Contract/Turns.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureQueueBatchTests {
    @Test func `a batch keeps its turn until its future has completed and its queue is empty`() {
        let queue = FutureQueue(resource: "file")
        let log = Log<String>()
        let (done, gate) = (Promise<Int>(), Promise<Int>())
        let batch = queue.on(.immediate).batch().enqueue { batch in
            batch.on(.immediate).enqueue { file in
                log.add("first in \(file)")
                return gate.future
            }
            batch.on(.immediate).enqueue { file in
                log.add("second in \(file)")
                return Future(2)
            }
            return done.future
        }
        queue.on(.immediate).enqueue { _ in
            log.add("next")
            return Future(3)
        }
        batch.onValue(on: .immediate) { _ in log.add("batch") }
        #expect(log.entries == ["first in file"])
        done.succeed(1)
        #expect(log.entries == ["first in file"])
        gate.succeed(1)
        #expect(log.entries == ["first in file", "second in file", "batch", "next"])
        #expect(batch.success == 1)
    }

    @Test func `the queue of a batch is open until a future in the batch's value has completed`() async throws {
        typealias Second = @Sendable (FutureQueue<Void>) -> Future<Int>
        let ways: [@Sendable (FutureQueue<Void>, @escaping Second) -> Future<Future<Int>>] = [
            { queue, second in queue.on(.immediate).batch().enqueue { batch in Future(second(batch)) } },
            { queue, second in
                queue.on(.immediate).batch().enqueue {
                    Future(second($0))
                } finally: { _, _ in
                    Future()
                }
            },
            { queue, second in Self.runBatch(in: queue, second) },
        ]
        for (index, way) in ways.enumerated() {
            let (queue, gate, batchQueue) = (FutureQueue(), Promise<Void>(), Shared<FutureQueue<Void>?>(nil))
            let hasBegun = Promise<Void>()
            let batch = way(queue) { batch in
                batchQueue.value = batch
                defer { hasBegun.succeed() }
                return gate.future.flatMap(on: .immediate) { batch.on(.immediate).enqueue { Future(2) } }
            }
            let next = queue.on(.immediate).enqueue { Future(3) }
            try await hasBegun.future.value
            #expect(!next.isCompleted, "\(index)")
            gate.succeed()
            #expect(try await next.value == 3, "\(index)")
            #expect(batch.success?.success == 2, "\(index)")
            let late = batchQueue.value?.on(.immediate).enqueue { Future(4) }
            #expect(late?.error as? QueueError == .closed, "\(index)")
        }
    }

    /// Enqueues a batch from a generic function, in which the compiler does not know that the value is a future.
    private static func runBatch<T: Sendable>(
        in queue: FutureQueue<Void>, _ body: @escaping @Sendable (FutureQueue<Void>) -> T
    ) -> Future<T> {
        queue.batch.run { batch in body(batch) }
    }

    @Test func `a batch that fails fails its waiting operations and lets the running ones finish`() {
        let queue = FutureQueue()
        let (done, gate) = (Promise<Int>(), Promise<Int>())
        let futures = Log<Future<Int>>()
        let begun = Shared(0)
        let batch = queue.on(.immediate).batch().enqueue { batch in
            futures.add(batch.on(.immediate).enqueue { gate.future })
            futures.add(batch.on(.immediate).enqueue { Future(begun.increment()) })
            return done.future
        }
        let next = queue.on(.immediate).enqueue { Future(3) }
        done.fail(Oops(4))
        #expect(futures.entries[1].error as? Oops == Oops(4))
        #expect(!batch.isCompleted)
        #expect(!next.isCompleted)
        gate.succeed(1)
        #expect(futures.entries[0].success == 1)
        #expect(batch.error as? Oops == Oops(4))
        #expect(next.success == 3)
        #expect(begun.value == 0)
    }

    @Test func `a cancelled batch cancels its operations, and keeps its turn while one of their closures runs`() {
        let queue = FutureQueue()
        let log = Log<String>()
        let futures = Log<Future<Int>>()
        let handle = Shared<Future<Int>?>(nil)
        let time = VirtualTime()
        handle.value = queue.on(.immediate).batch().enqueue { batch in
            futures.add(
                batch.on(time.scheduler).enqueue {
                    handle.value?.cancel()
                    log.add("closure returns")
                    return .never
                })
            futures.add(batch.on(.immediate).enqueue { Future(2) })
            return .never
        }
        queue.on(.immediate).enqueue {
            log.add("next")
            return Future(3)
        }
        time.run()
        #expect(log.entries == ["closure returns", "next"])
        #expect(handle.value?.isCancelled == true)
        #expect(futures.entries.allSatisfy { $0.isCancelled })
        #expect(queue.isEmpty)
    }

    @Test func `the queue of a finished batch is closed`() {
        let queue = FutureQueue()
        let kept = Shared<FutureQueue<Void>?>(nil)
        let batch = queue.on(.immediate).batch().enqueue { batch in
            kept.value = batch
            return Future(1)
        }
        #expect(batch.success == 1)
        #expect(kept.value?.closedError as? QueueError == .closed)
        #expect(kept.value?.on(.immediate).enqueue { Future(2) }.error as? QueueError == .closed)
    }
}
