// Futures that complete together: what precedes the callbacks of the first one, which may block.

import Dispatch
import Foundation
import Futures
import FuturesTesting
import Testing

@Suite struct EndingTogetherTests {
    @Test(arguments: endingCases, [0, 17])
    func `what other threads may need does not wait for a callback of a future that ends with it`(
        _ endingCase: EndingCase, nesting depth: Int
    ) async {
        let ending = Together()
        let start = endingCase.prepare(ending)
        Thread.detachNewThread { nest(depth, start) }
        // Does not block: a case may have a task, which needs a thread of the pool.
        #expect(await comesTrue { ending.isOver.value }, "the first one's callback was called")
        #expect(ending.hadEnded.value, "the others had ended")
        #expect(ending.isInTime.value, "the listeners of the others have been called")
        withExtendedLifetime(ending.kept.value) {}
    }

    @Test(arguments: [0] + nestings)
    func `a combination that fails at once has cancelled the others when it is made`(depth: Int) {
        let log = Log<String>()
        onAnotherThread {
            nest(depth) {
                let signal = Signal()
                let failed = Future<Int>(error: Oops())
                let others = (
                    stoppable { log.add("disposed") },
                    stoppable {}.always(on: .background) { signal.send() }
                )
                _ = join([others.0, failed, others.1])
                log.add(signal.comes() ? "heard" : "lost")
            }
        }
        #expect(log.entries == ["disposed", "heard"])
    }
}

/// Futures of which one has a callback that blocks until the others have completed and their listeners were called.
final class Together: Sendable {
    let other = Scheduler(label: "other")
    let isOver = Shared(false)
    let hadEnded = Shared(true)
    let isInTime = Shared(true)
    /// Objects that are retained until the case has completed.
    let kept = Shared<[any Sendable]>([])
    private let signals = Shared<[Signal]>([])
    private let checks = Shared<[@Sendable () -> Bool]>([])

    func keep(_ object: some Sendable) { kept.change { $0.append(object) } }

    /// The callback that blocks. Only the first call counts.
    @Sendable func block() {
        guard !isOver.value else { return }
        if !checks.value.allSatisfy({ $0() }) { hadEnded.value = false }
        for signal in signals.value where !signal.comes() { isInTime.value = false }
        isOver.value = true
    }

    /// Expects that another thread is notified of the future, which need not have completed when the callback is
    /// called.
    func expectsSoon<T>(_ future: Future<T>) {
        let signal = Signal()
        future.onResult(on: other) { _ in signal.send() }
        signals.change { $0.append(signal) }
    }

    /// Expects that the future has completed when the callback is called, and that another thread is notified of it.
    func expects<T>(_ future: Future<T>) {
        expectsSoon(future)
        checks.change { $0.append { future.isCompleted } }
    }

    /// Expects that another thread sends the signal.
    func expects(_ signal: Signal) { signals.change { $0.append(signal) } }

    /// Expects that another thread, which waits for the future, is notified of it.
    func expectsWaiting<T>(_ future: Future<T>) {
        let signal = Signal()
        Thread.detachNewThread {
            _ = try? future.wait()
            signal.send()
        }
        future.waitForListener()
        signals.change { $0.append(signal) }
        checks.change { $0.append { future.isCompleted } }
    }

    /// Returns a future that calls the blocking callback when it is cancelled.
    func blocked() -> Future<Int> { pending().onCancel(on: .immediate, block) }

    /// Returns a future that notifies another thread when it is cancelled.
    func heard() -> Future<Int> {
        let signal = Signal()
        signals.change { $0.append(signal) }
        return pending().onCancel(on: other) { signal.send() }
    }

    func pending() -> Future<Int> {
        let promise = Promise<Int>()
        keep(promise)
        return promise.future
    }
}

struct EndingCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Creates the futures, and returns a closure that completes them.
    let prepare: @Sendable (Together) -> @Sendable () -> Void

    init(_ description: String, _ prepare: @escaping @Sendable (Together) -> @Sendable () -> Void) {
        testDescription = description
        self.prepare = prepare
    }
}

private let endingCases = queues + combinations

private let queues = [
    EndingCase("an abort of a queue") { ending in
        let queue = FutureQueue()
        let running = queue.on(.immediate).enqueue { ending.pending() }
        queue.on(.immediate).enqueue { Future() }.onResult(on: .immediate) { _ in ending.block() }
        ending.expects(queue.on(.immediate).enqueue { Future() })
        ending.expectsWaiting(queue.on(.immediate).enqueue { Future() })
        ending.expects(running)
        return { queue.cancelAll() }
    },
    EndingCase("a batch that fails") { ending in
        let queue = FutureQueue()
        let promise = Promise<Void>()
        queue.on(.immediate).batch().enqueue { batch -> Future<Void> in
            let running = batch.on(.immediate).enqueue { ending.pending() }
            ending.keep(running)
            batch.on(.immediate).enqueue { Future() }.onResult(on: .immediate) { _ in ending.block() }
            ending.expects(batch.on(.immediate).enqueue { Future() })
            return promise.future
        }
        return { promise.fail(Oops()) }
    },
]

private let combinations = [
    EndingCase("a join that fails") { ending in
        let failing = Promise<Int>()
        ending.expects(join([failing.future, ending.blocked(), ending.heard()]))
        return { failing.fail(Oops()) }
    },
    EndingCase("a select") { ending in
        let first = Promise<Int>()
        ending.expects(select(first.future, or: ending.blocked()))
        return { first.succeed(1) }
    },
    EndingCase("a time limit") { ending in
        let time = VirtualTime()
        ending.expects(ending.blocked().timeout(after: .seconds(1), on: time.scheduler))
        return { time.advance(by: .seconds(1)) }
    },
]
