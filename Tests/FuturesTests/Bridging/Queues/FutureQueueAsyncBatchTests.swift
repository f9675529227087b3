// Asynchronous batches: their turns, their errors and their cancellation.

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
}

extension Result {
    fileprivate var success: Success? { try? get() }
    fileprivate var error: (any Error)? { if case .failure(let error) = self { error } else { nil } }
}
