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
}
