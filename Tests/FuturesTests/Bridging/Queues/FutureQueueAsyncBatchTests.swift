// Asynchronous batches: their turns, their errors and their cancellation. Contract/Batches.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureQueueAsyncBatchTests {
    @Test func `an asynchronous batch keeps its turn until its task has ended and its queue is empty`() async {
        let queue = FutureQueue(resource: "file")
        let (gate, log) = (Promise<Void>(), Log<String>())
        let batch = queue.batch.run { batch in
            log.add(try await batch.run { "first in \($0)" }.value)
            batch.on(.immediate).enqueue { file in
                gate.future.onValue(on: .immediate) { log.add("second in \(file)") }
            }
            return 1
        }.onValue(on: .immediate) { _ in log.add("batch") }
        let next = queue.on(.immediate).enqueue { _ in Future(log.add("next")) }
        gate.succeed()
        let result = await batch.arrival()
        #expect(result.success == 1)
        _ = await next.arrival()
        #expect(log.entries == ["first in file", "second in file", "batch", "next"])
    }

    @Test func `an asynchronous batch that throws fails its waiting operations and lets the running ones finish`() async
    {
        let queue = FutureQueue()
        let (done, begun, futures) = (Promise<Int>(), Promise<Void>(), Log<Future<Int>>())
        let batch = queue.batch.run { batch in
            futures.add(batch.on(.immediate).enqueue { done.future })
            futures.add(batch.on(.immediate).enqueue { Future(2) })
            begun.succeed()
            throw Oops(4)
        }
        let next = queue.on(.immediate).enqueue { Future(3) }
        _ = await begun.future.arrival()
        let second = await futures.entries[1].arrival()
        #expect(second.error as? Oops == Oops(4))
        #expect(!batch.isCompleted)
        #expect(!next.isCompleted)
        done.succeed(1)
        #expect(futures.entries[0].success == 1)
        #expect(await batch.arrival().error as? Oops == Oops(4))
        #expect(await next.arrival().success == 3)
    }

    @Test func `an asynchronous batch that is cancelled keeps its turn until its task ends`() async {
        let queue = FutureQueue()
        let (begun, gate, log) = (Promise<Void>(), Promise<Void>(), Log<String>())
        let futures = Log<Future<Int>>()
        let batch = queue.batch.run { batch in
            futures.add(batch.on(.immediate).enqueue { .never })
            begun.succeed()
            _ = await gate.future.arrival()
            let late = await batch.on(.immediate).enqueue { Future(1) }.arrival()
            log.add("task: \(Task.isCancelled), \(late.error is CancellationError)")
        }
        let next = queue.on(.immediate).enqueue { Future(log.add("next")) }
        _ = await begun.future.arrival()
        batch.cancel()
        #expect(batch.isCancelled)
        #expect(futures.entries[0].isCancelled)
        #expect(queue.runningCount == 1)
        #expect(!next.isCompleted)
        gate.succeed()
        _ = await next.arrival()
        #expect(log.entries == ["task: true, true", "next"])
    }

    @Test func `an asynchronous batch that is cancelled keeps its turn until its queue is empty`() async {
        let (queue, log) = (FutureQueue(), Log<String>())
        let (begun, inner, over) = (Promise<Void>(), Promise<Void>(), Promise<Void>())
        let batch = queue.batch.run { batch in
            batch.run { () async in
                begun.succeed()
                _ = await inner.future.arrival()
                log.add("inside")
            }
            defer { over.succeed() }
            try await Future<Void>.never.value
        }
        let next = queue.on(.immediate).enqueue { Future(log.add("next")) }
        _ = await begun.future.arrival()
        batch.cancel()
        _ = await over.future.arrival()
        #expect(!next.isCompleted)
        inner.succeed()
        _ = await next.arrival()
        #expect(log.entries == ["inside", "next"])
    }

    @Test func `an asynchronous batch that is cancelled while it waits never starts`() async throws {
        let (queue, gate, census) = (FutureQueue(), Promise<Int>(), Census())
        queue.on(.immediate).enqueue { gate.future }
        for _ in 0..<20 {
            let object = census.make()
            queue.batch.run { _ in
                Issue.record("It began.")
                object.touch()
                await Task.yield()
            }.cancel()
        }
        #expect(queue.waitingCount == 0)
        await census.expectNone()
        gate.succeed(1)
        try await queue.drained().value
    }

    @Test func `an asynchronous batch has a queue of the given limit, and a new one when it is repeated`() async {
        let queue = FutureQueue()
        let (runs, counts) = (Shared(0), Log<Int>())
        let future = queue.batch.run(maxConcurrentCount: 3) { batch in
            await Task.yield()
            for _ in 0..<5 { batch.on(.immediate).enqueue { Future<Int>.never } }
            counts.add(batch.runningCount)
            batch.cancelAll()
            if runs.increment() < 3 { throw Oops() }
            return runs.value
        }.onErrorRepeat(on: .immediate) { _ in true }
        #expect(await future.arrival().success == 3)
        #expect(counts.entries == [3, 3, 3])
        _ = await queue.drained().arrival()
    }

    @MainActor @Test func `an asynchronous batch runs on its closure's actor or on the queue's scheduler`() async {
        let queue = FutureQueue(resource: 1, executeOn: .background)
        var count = 0
        let isolated = queue.batch.run { batch in
            MainActor.assertIsolated()
            count += try await batch.on(.immediate).enqueue { Future($0) }.value
        }
        _ = await isolated.arrival()
        #expect(count == 1)
        let (asQueue, elsewhere) = (Self.place(in: queue), Self.place(in: queue, on: .background))
        #expect(await asQueue.arrival().success == .background)
        #expect(await elsewhere.arrival().success == .background)
    }

    private nonisolated static func place(in queue: FutureQueue<Int>) -> Future<Scheduler> {
        queue.batch.run { _ in await place() }
    }

    private nonisolated static func place(in queue: FutureQueue<Int>, on scheduler: Scheduler) -> Future<Scheduler> {
        queue.on(scheduler).batch().run { _ in await place() }
    }

    private nonisolated static func place() async -> Scheduler { Scheduler.current }

    @Test func `an asynchronous batch retains nothing when it has ended`() async {
        let (census, queue) = (Census(), FutureQueue())
        for isCancelled in [false, true] {
            do {
                let object = census.make()
                let begun = Promise<Void>()
                let future = queue.batch.run { batch in
                    begun.succeed()
                    let pending: Future<Int> = batch.on(.immediate).enqueue { isCancelled ? .never : Future(1) }
                    return object.pass(try await pending.value)
                }
                _ = await begun.future.arrival()
                if isCancelled { future.cancel() }
                _ = await future.arrival()
            }
            _ = await queue.drained().arrival()
            await census.expectNone()
        }
    }
}

extension Result {
    fileprivate var success: Success? { try? get() }
    fileprivate var error: (any Error)? { if case .failure(let error) = self { error } else { nil } }
}
