// Work that runs at once, although a callback is in progress. Contract/Schedulers.md

import Futures
import Testing

@Suite struct NestingTests {
    private static let other = Scheduler(label: "other")

    /// Effects of a callback that another thread may need, and whether they happen before the callback returns.
    private static let needs: KeyValuePairs<String, @Sendable () -> Bool> = [
        "a hop": {
            let signal = Signal()
            Future(1).onValue(on: other) { _ in signal.send() }
            return signal.comes()
        },
        "a callback that a sync leaves behind": {
            let signal = Signal()
            other.sync { Future(1).onValue { _ in signal.send() } }
            return signal.comes()
        },
        "a combination of what completes": {
            let (promise, signal) = (Promise<Int>(), Signal())
            let joined = join(promise.future, Future(2).timeout(after: testTimeout, on: other))
            select(joined.asVoid(), or: Future<Int>.never).onResult(on: other) { _ in signal.send() }
            promise.succeed(1)
            return signal.comes()
        },
        "the dispose of what is cancelled above": {
            let disposed = Shared(false)
            join([stoppable { disposed.value = true }, .never]).asVoid().cancel()
            return disposed.value
        },
    ]

    @Test func `work that other threads may need does not wait for a callback`() {
        let missing = Log<String>()
        for (name, isMet) in Self.needs {
            let asked = Shared(false)
            let ended = onAnotherThread {
                call {
                    asked.value = true
                    if !isMet() { missing.add(name) }
                }
            }
            if !ended || !asked.value { missing.add("the callback of \(name)") }
        }
        #expect(missing.entries == [])
    }
}
