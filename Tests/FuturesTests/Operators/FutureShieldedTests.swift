// shieldedFromCancellation: a consumer is cancelled, and the operation continues. Contract/Cancelling.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureShieldedTests {
    @Test func `an operation behind shieldedFromCancellation runs to completion although its consumer was cancelled`() {
        let log = Log<String>()
        let promise = Promise<Int>()
        let above = promise.future.onCancel(on: .immediate) { log.add("above") }
            .onValue(on: .immediate) { log.add("value \($0)") }
        let end = above.shieldedFromCancellation().onCancel(on: .immediate) { log.add("below") }
        end.cancel()
        #expect(end.isCancelled)
        #expect(log.entries == ["below"])
        #expect(promise.succeed(1))
        #expect(log.entries == ["below", "value 1"])
        #expect(above.success == 1)
    }

    @Test func `an operation behind shieldedFromCancellation cannot be cancelled by other consumers either`() {
        let promise = Promise<Int>()
        let ignoring = promise.future.shieldedFromCancellation()
        let other = promise.future.map(on: .immediate) { $0 }
        ignoring.cancel()
        other.cancel()
        promise.future.cancel()
        #expect(ignoring.isCancelled && other.isCancelled)
        #expect(!promise.future.isCompleted)
        #expect(promise.succeed(1))
    }

    @Test func `any result passes shieldedFromCancellation`() {
        let promises = (0..<3).map { _ in Promise<Int>() }
        let futures = promises.map { $0.future.shieldedFromCancellation() }
        promises[0].succeed(1)
        promises[1].fail(Oops(2))
        promises[2].fail(CancellationError())
        #expect(futures[0].success == 1)
        #expect(futures[1].error as? Oops == Oops(2))
        #expect(futures[2].isCancelled)
        #expect(Future(1).shieldedFromCancellation().success == 1)
    }

    @Test func `a repetition repeats shieldedFromCancellation with its source`() {
        let runs = Shared(0)
        let repeated = Future<Int>(on: .immediate, immediate: { throw Oops(runs.increment()) })
            .shieldedFromCancellation()
            .onErrorRepeat(on: .immediate, maxRepetitions: 2) { _ in true }
        #expect(repeated.error as? Oops == Oops(3))
    }

    @Test func `shieldedFromCancellation retains nothing after completion`() {
        let census = Census()
        let promise = Promise<Int>()
        func attach(to source: Future<Int>) -> Future<Int> {
            let captured = census.make()
            return source.map(on: .immediate) { captured.pass($0) }.shieldedFromCancellation()
                .map(on: .immediate) { captured.pass($0) }
        }
        attach(to: promise.future).cancel()
        #expect(census.alive == 1)
        promise.succeed(1)
        #expect(census.alive == 0)
    }

    @Test func `a future that never completes and ignores cancels keeps protecting its source`() {
        // Only the returned future retains the listener that protects the source.
        let source = Future<Int>.never.map(on: .immediate) { $0 }
        let ignoring = source.shieldedFromCancellation()
        source.cancel()
        #expect(!source.isCompleted && !ignoring.isCompleted)
    }
}
