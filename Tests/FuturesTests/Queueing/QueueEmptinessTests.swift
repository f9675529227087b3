// Futures of a queue's emptiness: drained and nextDrained. Contract/Queues.md

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

    @Test func `nextDrained completes the next time the queue becomes empty, and drained immediately if it is empty`() {
        let queue = FutureQueue()
        let next = queue.nextDrained()
        #expect(!next.isCompleted)
        // There is nothing to abort, so this changes nothing.
        queue.cancelAll()
        #expect(!next.isCompleted)
        queue.on(.immediate).enqueue { Future(1) }
        #expect(next.isCompleted)
    }

    @Test func `nextDrained fails, and is released, if the queue is empty and then closed or released`() {
        let census = Census()
        let ends: [(inout FutureQueue<Void>?) -> Void] = [
            { $0 = nil }, { $0!.close() },
            {
                $0!.close()
                $0!.cancelAll()
            },
        ]
        for end in ends {
            for count in [0, 2] {
                let errors = Log<QueueError>()
                var queue: FutureQueue<Void>? = FutureQueue()
                for _ in 0..<count { queue!.on(.immediate).enqueue { Future(1) } }
                let object = census.make()
                queue!.nextDrained().onError(on: .immediate) { error in
                    object.touch()
                    errors.add(error as! QueueError)
                }
                end(&queue)
                #expect(errors.entries == [.closed])
            }
        }
        do {
            let (queue, object) = (KeyedFutureQueue<Int>(), census.make())
            queue.nextDrained().onError(on: .immediate) { _ in object.touch() }
            queue.close()
            #expect(queue.nextDrained().error as? QueueError == .closed)
            #expect(queue.drained().success != nil)
        }
        let batches = FutureQueue()
        batches.on(.immediate).enqueueBatch { [object = census.make()] batch in
            batch.nextDrained().onError(on: .immediate) { _ in object.touch() }
            return Future(1)
        }
        #expect(census.alive == 0)
    }

    @Test func `waiting for an empty queue ends with an abort that empties the queue`() {
        for running in [0, 1] {
            let queue = FutureQueue()
            if running == 0 { queue.pause() }
            queue.on(.immediate).enqueue { Future<Int>.never }
            queue.on(.immediate).enqueue { Future<Int>.never }
            #expect(queue.runningCount == running)
            let (drained, next) = (queue.drained(), queue.nextDrained())
            queue.cancelAll()
            #expect(drained.isCompleted && next.isCompleted && queue.isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func `waiting for an empty queue ends with an abort in whose callbacks the queue is closed`(aborts: Bool) {
        let queue = FutureQueue()
        queue.pause()
        queue.on(.immediate).enqueue { Future(1) }.onError(on: .immediate) { _ in
            if aborts {
                queue.close()
                queue.cancelAll()
            } else {
                queue.close()
            }
        }
        let (drained, next) = (queue.drained(), queue.nextDrained())
        queue.close()
        queue.cancelAll()
        #expect(drained.success != nil && next.success != nil)
        #expect(queue.nextDrained().error as? QueueError == .closed)
    }

    @Test func `a future of an empty queue can be cancelled and repeated`() {
        let queue = FutureQueue()
        let gate = Promise<Int>()
        queue.on(.immediate).enqueue { gate.future }
        let (first, second) = (queue.drained(), queue.drained())
        let runs = Shared(0)
        let repeated = queue.nextDrained().onErrorRepeat(on: .immediate) { _ in true }
            .flatMap(on: .immediate) { runs.increment() < 3 ? Future<Void>(error: Oops()) : Future() }
            .onErrorRepeat(on: .immediate) { _ in true }
        first.cancel()
        gate.succeed(1)
        #expect(first.isCancelled)
        #expect(second.success != nil)
        #expect(runs.value == 1)
        queue.on(.immediate).enqueue { Future(1) }
        #expect(runs.value == 2)
        #expect(repeated.success == nil)
        queue.on(.immediate).enqueue { Future(1) }
        #expect(repeated.success != nil)
    }
}
