// hedged: a second run when the first one is late. Contract/Repeating.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureHedgedTests {
    private let time = VirtualTime(), runs = Log<Promise<Int>>(), disposed = Shared(0)

    /// An operation whose runs the test completes.
    private var operation: Future<Int> {
        Future(on: .immediate) { completion in
            let promise = Promise<Int>()
            runs.add(promise)
            let listener = promise.future.onResult(on: .immediate) { completion($0) }
            return Disposer {
                disposed.increment()
                listener.cancel()
            }
        }
    }

    private func hedged() -> Future<Int> { operation.hedged(after: .seconds(2), on: time.scheduler) }

    @Test func `a first run that completes in time is the only one`() {
        let future = hedged()
        time.advance(by: .seconds(1))
        runs.entries[0].succeed(1)
        #expect(future.success == 1)
        #expect(time.pendingCount == 0)
        #expect(runs.count == 1)
        // Also without a delay, if the future has already completed.
        let completed = operation
        runs.entries[1].succeed(2)
        #expect(completed.hedged(after: .zero, on: time.scheduler).success == 2)
        #expect(runs.count == 2)
    }

    @Test(arguments: 0...1)
    func `a second run starts when the first one is late, and the first success wins`(winner: Int) {
        let future = hedged()
        time.advance(by: .milliseconds(1999))
        #expect(runs.count == 1)
        time.advance(by: .milliseconds(1))
        #expect(runs.count == 2)
        runs.entries[winner].succeed(winner)
        #expect(future.success == winner)
        // The losing run is cancelled, the winning one disposed.
        #expect(runs.entries[1 - winner].future.isCancelled)
        #expect(disposed.value == 2)
        #expect(time.pendingCount == 0)
    }

    @Test func `a failure before the second run has started is passed on`() {
        let future = hedged()
        runs.entries[0].fail(Oops(1))
        #expect(future.error as? Oops == Oops(1))
        #expect(time.pendingCount == 0)
        #expect(runs.count == 1)
    }

    @Test(arguments: 0...1, [false, true])
    func `of two runs in progress one may fail; if both fail, the last error is passed on`(first: Int, bothFail: Bool) {
        let future = hedged()
        time.advance(by: .seconds(2))
        runs.entries[first].fail(Oops(1))
        #expect(!future.isCompleted)
        if bothFail { runs.entries[1 - first].fail(Oops(2)) } else { runs.entries[1 - first].succeed(2) }
        #expect(future.success == (bothFail ? nil : 2))
        #expect(future.error as? Oops == (bothFail ? Oops(2) : nil))
    }

    @Test func `a cancel cancels both runs, or the first run and the timer`() {
        let early = hedged()
        early.cancel()
        #expect(early.isCancelled)
        #expect(time.pendingCount == 0)
        let late = hedged()
        time.advance(by: .seconds(2))
        late.cancel()
        #expect(runs.entries.allSatisfy { $0.future.isCancelled })
        #expect(runs.count == 3)
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `without a delay, or with a negative one, both runs start immediately`(delay: Duration) {
        let future = operation.hedged(after: delay, on: time.scheduler)
        #expect(runs.count == 2)
        runs.entries[1].succeed(2)
        #expect(future.success == 2)
    }
}
