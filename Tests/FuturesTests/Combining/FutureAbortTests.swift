// abort: signals that cancel a future. Contract/Combining.md

import Futures
import Testing

@Suite struct FutureAbortTests {
    private let work = Promise<Int>()
    private let signals = (0..<3).map { _ in Promise<Void>() }

    private var abortable: Future<Int> { work.future.abort(forFutures: signals.map(\.future)) }

    @Test func `a signal fails the aborted future with a CancellationError and cancels its source`() {
        let future = abortable
        #expect(future.result == nil)
        signals[1].succeed()
        #expect(future.isCancelled)
        #expect(work.future.isCancelled)
    }

    @Test func `a source with other listeners continues when a signal aborts one of them`() {
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

    // No part of the combination can complete, so the signal's list of listeners does not retain it.
    @Test func `a signal that is cancelled aborts a future that never completes`() {
        for _ in 0..<20 {
            let stop = Future<Int>.never.map(on: .immediate) { $0 }
            let calls = AtomicCounter()
            let ends = (0..<3).map { number in
                Future<Int>.never.abort(forFutures: [stop]).map(on: .immediate) { $0 + number }
                    .always(on: .immediate) { calls.up() }
            }
            let nested = select(join([ends[0], .never]), or: ends[1]).abort(forFutures: [stop, stop])
            let inner = Future(1).flatMap(on: .immediate) { _ in ends[2] }
            stop.cancel()
            #expect(ends.allSatisfy { $0.isCancelled })
            #expect(nested.isCancelled)
            #expect(inner.isCancelled)
            #expect(calls.value == 3)
            #expect(ends[0].map(on: .immediate) { $0 }.isCancelled)
        }
    }

    // The combination counts a child that cannot complete by itself once, not again when the child fails: then it would
    // take the other child for one that cannot complete either, and release its listeners.
    @Test func `the failure of a future that only a signal ends keeps a combination waiting for its other futures`() {
        let (other, stop) = (Promise<Int>(), Future<Int>.never.map(on: .immediate) { $0 })
        let calls = AtomicCounter()
        Future.firstSuccess(of: [.never.abort(forFutures: [stop]), other.future]).onValue(on: .immediate) { _ in
            calls.up()
        }
        stop.cancel()
        other.succeed(1)
        #expect(calls.value == 1)
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

    @Test func `a signal that has completed aborts each repetition immediately`() {
        let signals = signals
        let runs = Shared(0)
        let operation = Future<Int>(on: .immediate, immediate: { throw Oops(runs.increment()) })
        let end = operation.abort(forFutures: [signals[0].future])
            .onErrorRepeat(on: .immediate, maxRepetitions: 5) { error in
                signals[0].succeed()
                return !(error is CancellationError)
            }
        #expect(end.isCancelled)
        // The repetition was cancelled before its operation started.
        #expect(runs.value == 1)
    }
}
