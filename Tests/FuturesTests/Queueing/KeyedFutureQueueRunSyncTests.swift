// Synchronous operations of keyed queues.

import Futures
import FuturesTesting
import Testing

@Suite struct KeyedFutureQueueRunSyncTests {
    @Test func `a synchronous operation of a key waits for its turn and is complete when it returns`() {
        let queue = KeyedFutureQueue<String>()
        let (gate, log) = (Promise<Int>(), Log<String>())
        queue["a"].on(.immediate).enqueue { gate.future }
        let first = queue["a"].on(.immediate).run {
            log.add("first")
            return 1
        }
        first.onValue(on: .immediate) { _ in log.add("heard") }
        let thrown = queue["a"].on(.immediate).run { () -> Int in throw Oops(1) }
        let cancelled = queue["a"].on(.immediate).run { log.add("never") }
        let other = queue["b"].on(.immediate).run { 2 }
        #expect(first.result == nil && other.success == 2)
        cancelled.cancel()
        gate.succeed(1)
        #expect(first.success == 1)
        #expect(thrown.error as? Oops == Oops(1))
        #expect(log.entries == ["first", "heard"])
        #expect(queue.isEmpty && queue.keyCount == 0)
    }

    @Test func `a synchronous operation of a key stops waiting at its time limit, and a repetition enqueues it again`()
    {
        let (queue, time) = (KeyedFutureQueue<String>(), VirtualTime())
        let gate = Promise<Int>()
        queue["a"].on(.immediate).enqueue { gate.future }
        let hurried = queue["a"].on(time.scheduler).run(with: .waitTimeout(.seconds(1))) { 1 }
        let calm = queue["a"].on(time.scheduler).run(with: .waitTimeout(.seconds(3))) { 2 }
        time.advance(by: .seconds(2))
        #expect(hurried.error as? QueueError == .waitTimedOut(after: .seconds(1)))
        gate.succeed(1)
        time.advance(by: .seconds(2))
        #expect(calm.success == 2)
        let runs = Shared(0)
        let repeated = queue["a"].on(.immediate).run { () -> Int in
            if runs.increment() < 3 { throw Oops() }
            return runs.value
        }.onErrorRepeat(on: .immediate)
        #expect(repeated.success == 3)
        #expect(queue.isEmpty && queue.keyCount == 0)
    }

    @MainActor @Test func `a synchronous operation of a key runs on its closure's actor`() async {
        let screen = Screen()
        _ = await screen.show().arrival()
        #expect(screen.count == 1)
    }
}

@MainActor private final class Screen {
    let queue = KeyedFutureQueue<String>()
    var count = 0

    func show() -> Future<Void> { queue["a"].run { self.count += 1 } }
}
