// Futures of a queue's emptiness: drained. Contract/Queues.md

import Futures
import Testing

@Suite struct QueueEmptinessTests {
    @Test func `drained completes after the listeners of the last operation have been called`() {
        let queue = FutureQueue()
        let (log, gate) = (Log<String>(), Promise<Int>())
        #expect(queue.drained().isCompleted)
        let last = queue.on(.immediate).enqueue { gate.future }
        queue.drained().onValue(on: .immediate) { log.add("drained \(queue.isEmpty)") }
        last.onValue(on: .immediate) { _ in log.add("heard") }
        #expect(log.entries == [])
        gate.succeed(1)
        #expect(log.entries == ["heard", "drained true"])
    }

    @Test func `a future of an empty queue can be cancelled and repeated`() {
        let queue = FutureQueue()
        let gate = Promise<Int>()
        queue.on(.immediate).enqueue { gate.future }
        let (first, second) = (queue.drained(), queue.drained())
        let runs = Shared(0)
        let repeated = queue.drained()
            .flatMap(on: .immediate) { runs.increment() < 3 ? Future<Void>(error: Oops()) : Future() }
            .onErrorRepeat(on: .immediate) { _ in true }
        first.cancel()
        gate.succeed(1)
        #expect(first.isCancelled)
        #expect(second.success != nil)
        #expect(runs.value == 3)
        #expect(repeated.success != nil)
    }
}
