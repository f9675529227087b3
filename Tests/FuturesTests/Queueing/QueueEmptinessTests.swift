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

    @Test func `a queue is not drained while listeners enqueue again`() {
        let queue = FutureQueue()
        let gates = [Promise<Int>(), Promise<Int>()]
        queue.on(.immediate).enqueue { gates[0].future }.onValue(on: .immediate) { _ in
            queue.on(.immediate).enqueue { gates[1].future }
        }
        let drained = queue.drained()
        gates[0].succeed(1)
        #expect(!drained.isCompleted)
        gates[1].succeed(1)
        #expect(drained.isCompleted)
    }

    @Test func `waiting for an empty queue ends with an abort that empties the queue`() {
        for running in [0, 1] {
            let queue = FutureQueue()
            if running == 0 { queue.isPaused = true }
            queue.on(.immediate).enqueue { Future<Int>.never }
            queue.on(.immediate).enqueue { Future<Int>.never }
            #expect(queue.runningCount == running)
            let drained = queue.drained()
            queue.cancelAll()
            #expect(drained.isCompleted && queue.isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func `waiting for an empty queue ends with an abort in whose callbacks the queue is closed`(aborts: Bool) {
        let queue = FutureQueue()
        queue.isPaused = true
        queue.on(.immediate).enqueue { Future(1) }.onError(on: .immediate) { _ in
            if aborts {
                queue.close()
                queue.cancelAll()
            } else {
                queue.close()
            }
        }
        let drained = queue.drained()
        queue.close()
        queue.cancelAll()
        #expect(drained.success != nil && queue.drained().success != nil)
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
