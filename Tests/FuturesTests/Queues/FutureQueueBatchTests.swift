// Batches: several operations in one turn. Contract/Turns.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureQueueBatchTests {
    private let queue = FutureQueue(resource: "file"), log = Log<String>()
    private let done = Promise<Int>(), gate = Promise<Int>()

    private func addNext() { _ = queue.on(.immediate).run { [log] _ in log.add("next") } }

    @Test func `a batch keeps its turn until its future has completed and its queue is empty`() {
        let batch = queue.on(.immediate).enqueueBatch { [log, done, gate] batch in
            for (name, future) in [("first", gate.future), ("second", Future(2))] {
                batch.on(.immediate).enqueue { file in log.add("\(name) in \(file)", returning: future) }
            }
            return done.future
        }
        addNext()
        batch.onValue(on: .immediate) { [log] in log.add("batch \($0)") }
        done.succeed(1)
        #expect(log.entries == ["first in file"])
        gate.succeed(1)
        #expect(log.entries == ["first in file", "second in file", "batch 1", "next"])
    }

    @Test func `the queue of a batch is open until a future in the batch's value has completed`() async throws {
        let kept = Promise<FutureQueue<String>>()
        let batch = queue.enqueueBatch { [gate, done] batch in
            kept.succeed(batch)
            batch.on(.immediate).enqueue { _ in done.future }
            return Future(gate.future.flatMap(on: .immediate) { _ in batch.on(.immediate).enqueue { _ in Future(2) } })
        }
        let next = queue.on(.immediate).run { _ in 3 }
        let inner = try await kept.future.value
        gate.succeed(1)
        #expect(!next.isCompleted)
        done.succeed(1)
        #expect(try await next.value == 3)
        #expect(batch.success?.success == 2)
        #expect(inner.closedError as? QueueError == .closed)
        #expect(inner.on(.immediate).run { _ in 4 }.error as? QueueError == .closed)
    }

    @Test func `a batch that fails fails its waiting operations and lets the running ones finish`() {
        let futures = Log<Future<Int>>()
        let batch = queue.on(.immediate).enqueueBatch { [log, done, gate] batch in
            futures.add(batch.on(.immediate).enqueue { _ in gate.future })
            futures.add(
                batch.on(.immediate).run { _ in
                    log.add("begun"); return 2
                })
            return done.future
        }
        addNext()
        done.fail(Oops(4))
        #expect(futures.entries[1].error as? Oops == Oops(4))
        #expect(!batch.isCompleted)
        #expect(log.entries == [])
        gate.succeed(1)
        #expect(futures.entries[0].success == 1)
        #expect(batch.error as? Oops == Oops(4))
        #expect(log.entries == ["next"])
    }

    @Test func `a cancelled batch cancels its operations, and keeps its turn while one of their closures runs`() {
        let (time, futures, handle) = (VirtualTime(), Log<Future<Int>>(), Shared<Future<Int>?>(nil))
        handle.value = queue.on(.immediate).enqueueBatch { [log] batch in
            futures.add(
                batch.on(time.scheduler).enqueue { _ in
                    handle.value?.cancel()
                    log.add("closure returns")
                    return .never
                })
            futures.add(batch.on(.immediate).enqueue { _ in Future(2) })
            return .never
        }
        addNext()
        time.run()
        #expect(log.entries == ["closure returns", "next"])
        #expect(handle.value?.isCancelled == true)
        #expect(futures.entries.map(\.isCancelled) == [true, true])
        #expect(queue.isEmpty)
    }
}
