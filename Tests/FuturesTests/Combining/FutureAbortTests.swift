// abort: signals that cancel a future. Contract/Combining.md

import Futures
import Testing

@Suite struct FutureAbortTests {
    private let work = Promise<Int>(), signals = (0..<3).map { _ in Promise<Void>() }

    private var abortable: Future<Int> { work.future.abort(forFutures: signals.map(\.future)) }

    @Test func `a signal fails the aborted future with a CancellationError and cancels its source`() {
        let future = abortable
        #expect(future.result == nil)
        signals[1].succeed()
        #expect(future.isCancelled)
        #expect(work.future.isCancelled)
    }

    @Test func `a signal that fails aborts with its error`() {
        let future = abortable
        signals[2].fail(Oops(2))
        #expect(future.error as? Oops == Oops(2))
        #expect(work.future.isCancelled)
    }

    @Test func `a result that is available is passed on, whatever the signals do`() {
        let future = abortable
        work.succeed(1)
        #expect(future.success == 1)
        signals[0].succeed()
        #expect(future.success == 1)
        // Also if the signal completed before the future was made abortable.
        #expect(abortable.success == 1)
        #expect(Future(2).abort(forFutures: [Future<Void>]()).success == 2)
        #expect(Future<Int>(error: Oops(3)).abort(forFutures: signals.map(\.future)).error as? Oops == Oops(3))
    }

    @Test func `a signal that has completed aborts a repetition before its operation starts`() {
        let count = AtomicCounter()
        let future = Future<Int>(on: .immediate) { _ in
            count.up()
            throw Oops(1)
        }
        .abort(forFutures: [signals[0].future])
        .onError(on: .immediate) { _ in signals[0].succeed() }
        .onErrorRepeat(on: .immediate, maxRepetitions: 3)
        #expect(future.isCancelled)
        #expect(count.value == 1)
    }

    @Test func `abort neither cancels its signals nor keeps others from cancelling them`() {
        let (first, second) = (abortable, abortable)
        first.cancel()
        #expect(!work.future.isCancelled)
        second.cancel()
        #expect(work.future.isCancelled)
        #expect(signals.allSatisfy { !$0.future.isCompleted })
        _ = Future(1).abort(forFutures: signals.map(\.future))
        #expect(signals.allSatisfy { !$0.future.isCompleted })

        let other = Promise<Int>()
        let third = other.future.abort(forFutures: [signals[0].future])
        signals[0].future.cancel()
        #expect(third.isCancelled)
    }

    @Test func `signals retain nothing of a future that was not aborted`() {
        let (census, promise) = (Census(), Promise<Census.Counted>())
        do {
            let future = promise.future.map(on: .immediate) { $0 }.abort(forFutures: signals.map(\.future))
            promise.future.map(on: .immediate) { _ in census.make() }
                .abort(forFutures: signals.map(\.future)).cancel()
            let other = Promise<Census.Counted>()
            let completed = other.future.abort(forFutures: signals.map(\.future))
            other.succeed(census.make())
            #expect(completed.isCompleted)
            future.cancel()
        }
        #expect(census.alive == 0)
    }
}
