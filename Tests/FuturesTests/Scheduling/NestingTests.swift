// Work that runs at once, although a callback is in progress. Contract/Schedulers.md

import Foundation
import Testing

@testable import Futures

@Suite struct NestingTests {
    /// An effect of a callback that another thread may need, and whether it happens before the callback returns.
    private typealias Need = (name: String, isMet: @Sendable () -> Bool)

    private static let other = Scheduler(label: "other")

    private static let needs: [Need] = [
        (
            "a hop",
            {
                let signal = Signal()
                Future(1).onValue(on: other) { _ in signal.send() }
                return signal.comes()
            }
        ),
        (
            "a callback that a sync leaves behind",
            {
                let signal = Signal()
                other.sync { Future(1).onValue { _ in signal.send() } }
                return signal.comes()
            }
        ),
        (
            "a combination of what completes",
            {
                let (promise, signal) = (Promise<Int>(), Signal())
                let joined = join(promise.future, Future(2).timeout(after: testTimeout, on: other))
                select(joined.asVoid(), or: Future<Int>.never).onResult(on: other) { _ in signal.send() }
                promise.succeed(1)
                return signal.comes()
            }
        ),
        (
            "a thread that waits",
            {
                let (promise, signal) = (Promise<Int>(), Signal())
                Thread.detachNewThread {
                    _ = try? promise.future.wait()
                    signal.send()
                }
                promise.future.waitForListener()
                promise.succeed(1)
                return signal.comes()
            }
        ),
        (
            "the dispose of what is cancelled above",
            {
                let disposed = Shared(false)
                join([stoppable { disposed.value = true }, .never]).asVoid().cancel()
                return disposed.value
            }
        ),
        (
            "the next operation of a queue",
            {
                let (queue, promise, signal) = (FutureQueue(), Promise<Int>(), Signal())
                queue.on(other).enqueue { promise.future }
                _ = queue.on(other).run { signal.send() }
                promise.future.waitForListener()
                // A callback beside the operation, which is not part of it.
                promise.future.onValue(on: .immediate) { _ in }
                promise.succeed(1)
                return signal.comes()
            }
        ),
        (
            "a timer",
            {
                let (promise, signal) = (Promise<Int>(), Signal())
                // On another scheduler: on a busy machine, the timer may fire before the step is attached. A callback
                // in place would then be called on this thread, and wait for the current callback.
                promise.future.delay(by: .milliseconds(1), on: other)
                    .onValue(on: .background) { _ in signal.send() }
                promise.succeed(1)
                return signal.comes()
            }
        ),
    ]

    @Test func `work that other threads may need does not wait for a callback`() {
        let missing = Log<String>()
        for need in Self.needs {
            let asked = Shared(false)
            let ended = onAnotherThread {
                call {
                    asked.value = true
                    if !need.isMet() { missing.add(need.name) }
                }
            }
            if !ended || !asked.value { missing.add("the callback of \(need.name)") }
        }
        #expect(missing.entries == [])
    }
}
