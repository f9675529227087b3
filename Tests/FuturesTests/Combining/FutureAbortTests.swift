// abort: what a signal gives up.

import Futures
import Testing

@Suite struct FutureAbortTests {
    private let work = Promise<Int>()
    private let signals = (0..<3).map { _ in Promise<Void>() }

    private var abortable: Future<Int> { work.future.abort(forFutures: signals.map(\.future)) }

    @Test func `a signal aborts a future with a CancellationError, and cancels it`() {
        let future = abortable
        #expect(future.result == nil)
        signals[1].succeed()
        #expect(future.isCancelled)
        #expect(work.future.isCancelled)
    }

    @Test func `what others listen to goes on when a signal aborts it for one`() {
        let other = work.future.map(on: .immediate) { $0 + 1 }
        let future = abortable
        signals[0].succeed()
        work.succeed(1)
        #expect(future.isCancelled)
        #expect(other.success == 2)
    }

    @Test func `a signal that fails aborts with its error`() {
        let future = abortable
        signals[2].fail(Oops(2))
        #expect(future.error as? Oops == Oops(2))
        #expect(work.future.isCancelled)
    }

    @Test func `without a signal, or before one, a result counts`() {
        let future = abortable
        work.succeed(1)
        #expect(future.success == 1)
        signals[0].succeed()
        #expect(future.success == 1)
        // Also if it was there when the signal had come already.
        #expect(abortable.success == 1)
        #expect(Future(2).abort(forFutures: [Future<Void>]()).success == 2)
        #expect(Future<Int>(error: Oops(3)).abort(forFutures: signals.map(\.future)).error as? Oops == Oops(3))
    }

    @Test func `signals are watched, and neither cancelled nor kept from a cancel`() {
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

    @Test func `a future that was not aborted leaves no trace in its signals`() {
        let census = Census()
        let promise = Promise<Census.Counted>()
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

    @Test func `a repetition runs the future again, but not its signals`() {
        let runs = Shared((work: 0, signal: 0))
        let gate = Promise<Void>()
        let signal = Future<Void>(on: .immediate, immediate: { runs.change { $0.signal += 1 } })
            .flatMap(on: .immediate) { gate.future }
        let failing = Future<Int>(
            on: .immediate,
            immediate: {
                throw Oops(
                    runs.change {
                        $0.work += 1; return $0.work
                    })
            })
        let abortable = failing.abort(forFutures: [signal]).onErrorRepeat(on: .immediate, maxRepetitions: 3) { _ in true
        }
        #expect(abortable.error as? Oops == Oops(4))
        #expect(runs.value == (4, 1))
    }

    @Test func `a signal that has come aborts each repetition at once`() {
        let signals = signals
        let runs = Shared(0)
        let operation = Future<Int>(on: .immediate, immediate: { throw Oops(runs.increment()) })
        let end = operation.abort(forFutures: [signals[0].future])
            .onErrorRepeat(on: .immediate, maxRepetitions: 5) { error in
                signals[0].succeed()
                return !(error is CancellationError)
            }
        #expect(end.isCancelled)
        // The repetition was given up before its operation began.
        #expect(runs.value == 1)
    }

    @Test func `signals and a result that come at once end it once`() {
        for _ in 0..<100 {
            let work = Promise<Int>()
            let (a, b) = (Promise<Void>(), Promise<Void>())
            let ends = Shared(0)
            let future = work.future.abort(forFutures: [a.future, b.future])
                .always(on: .immediate) { ends.increment() }
            race({ a.succeed() }, { b.succeed() }, { work.succeed(1) })
            #expect(future.isCompleted)
            #expect(ends.value == 1)
        }
    }
}
