// Aborting, closing, pausing and observing a queue. Contract/Queues.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureQueueCloseTests {
    private let queue = FutureQueue(), gate = Promise<Int>(), log = Log<String>()

    @Test func `aborting fails the operations that wait or run, and cancels what those wait for`() {
        let running = queue.on(.immediate).enqueue { [log] in stoppable { log.add("disposed") } }
        let waiting = queue.on(.immediate).run { [log] in log.add("begun") }
        // Listeners do not prevent an abort.
        running.onError(on: .immediate) { [log] _ in log.add("running") }
        waiting.onError(on: .immediate) { [log] _ in log.add("waiting") }
        queue.cancelAll(with: Oops(5))
        // What other threads may need precedes callbacks.
        #expect(log.entries == ["disposed", "waiting", "running"])
        #expect(running.error as? Oops == Oops(5))
        #expect(waiting.error as? Oops == Oops(5))
        #expect(queue.closedError == nil)
        #expect(queue.on(.immediate).run { 1 }.success == 1)
    }

    @Test func `operations that wait can be aborted without those that run`() {
        let keyed = KeyedFutureQueue<Int>()
        let running = queue.on(.immediate).enqueue { [gate] in gate.future }
        let waiting = queue.on(.immediate).run { 2 }
        let others = (1...2).map { key in
            [0, 1].map { _ in keyed[key].on(.immediate).enqueue { [gate] in gate.future } }
        }
        queue.cancelWaiting()
        keyed[1].cancelWaiting()
        #expect(waiting.isCancelled)
        #expect(others.map { $0[1].isCancelled } == [true, false])
        keyed.close(with: Oops(3))
        keyed.cancelWaiting()
        #expect(others[1][1].isCancelled)
        gate.succeed(7)
        #expect(running.success == 7)
        #expect(others.map { $0[0].success } == [7, 7])
    }

    @Test func `aborting releases the turn of an operation that waits for its scheduler`() {
        let time = VirtualTime()
        let hopping = queue.on(time.scheduler).run { [log] in log.add("begun") }
        #expect(queue.runningCount == 1)
        queue.cancelAll()
        #expect(hopping.isCancelled)
        // Its turn is free, although its scheduler has not run it.
        #expect(queue.on(.immediate).run { 7 }.success == 7)
        time.run()
        #expect(log.entries == [])
    }

    @Test func `a closed queue refuses new operations and runs those that it has`() {
        let running = queue.on(.immediate).enqueue { [gate] in gate.future }
        let waiting = queue.on(.immediate).run { 2 }
        let closed = queue.close()
        #expect(queue.on(.immediate).run { 3 }.error as? QueueError == .closed)
        #expect(queue.closedError as? QueueError == .closed)
        #expect(!closed.isCompleted)
        gate.succeed(1)
        #expect([running.success, waiting.success] == [1, 2])
        #expect(closed.isCompleted)
    }

    @Test func `a paused queue starts nothing and continues when it is resumed`() {
        queue.isPaused = true
        #expect(queue.isPaused)
        let futures = (1...3).map { number in queue.on(.immediate).run { number } }
        #expect(queue.waitingCount == 3)
        queue.isPaused = false
        #expect(!queue.isPaused)
        #expect(futures.map(\.success) == [1, 2, 3])
    }
}
