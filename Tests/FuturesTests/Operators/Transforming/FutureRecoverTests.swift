// recover, flatMapError, mapError. Contract/Operators.md

import Futures
import FuturesTesting
import Testing

private struct Offline: Error {}

@Suite struct FutureRecoverTests {
    /// Where recoveries without `on:` run in place.
    private let here = Scheduler(label: "here")
    private let one = Future(1)
    private let failed = Future<Int>(error: Oops(1))

    @Test func `recover turns an error into a value and passes values on`() {
        #expect(one.recover(on: .immediate) { _ in 2 }.success == 1)
        #expect(failed.recover(on: .immediate) { (($0 as? Oops)?.number ?? 0) + 1 }.success == 2)
        #expect(failed.recover(on: .immediate) { _ in throw Oops(2) }.error as? Oops == Oops(2))
        #expect(Future<Int>(error: CancellationError()).recover(on: .immediate) { _ in 3 }.success == 3)
    }

    @Test func `mapError turns an error into another error and passes values on`() {
        here.perform {
            #expect(one.mapError { _ in Offline() }.success == 1)
            #expect(failed.mapError { Oops((($0 as? Oops)?.number ?? 0) + 1) }.error as? Oops == Oops(2))
            #expect(Future<Int>(error: CancellationError()).mapError { _ in Offline() }.error is Offline)
        }
    }

    @Test func `a recovery from one error type passes other errors on`() {
        func recovered(_ future: Future<Int>) -> [Future<Int>] {
            [
                future.recover(from: Oops.self) { $0.number + 1 },
                future.flatMapError(from: Oops.self) { Future($0.number + 1) },
            ]
        }
        here.perform {
            for future in recovered(Future(error: Oops(1))) { #expect(future.success == 2) }
            for future in recovered(Future(error: Offline())) { #expect(future.error is Offline) }
            for future in recovered(Future(error: CancellationError())) { #expect(future.isCancelled) }
            for future in recovered(Future(5)) { #expect(future.success == 5) }
            let cancelled = Future<Int>(error: CancellationError())
            #expect(cancelled.recover(from: CancellationError.self) { _ in 7 }.success == 7)
            #expect(Future(error: Offline()).recover(from: (any Error).self) { _ in 8 }.success == 8)
        }
    }

    @Test func `an error of a recovery, thrown or from its future, replaces the original error`() {
        here.perform {
            #expect(failed.recover(from: Oops.self) { _ in throw Oops(2) }.error as? Oops == Oops(2))
            #expect(failed.flatMapError(from: Oops.self) { _ in throw Oops(3) }.error as? Oops == Oops(3))
            #expect(failed.flatMapError(from: Oops.self) { _ in Future(error: Oops(4)) }.error as? Oops == Oops(4))
        }
    }

    @Test func `errors of other types pass a recovery without a hop`() {
        let time = VirtualTime()
        let (passing, failing) = (Promise<Int>(), Promise<Int>())
        let (passed, recovered) = time.scheduler.perform {
            (
                passing.future.recover(from: Oops.self) { _ in 1 }.flatMapError(from: Oops.self) { _ in Future(2) },
                failing.future.recover(from: Oops.self) { time.scheduler.isCurrent ? $0.number : 0 }
            )
        }
        passing.fail(Offline())
        failing.fail(Oops(1))
        #expect(passed.error is Offline)
        #expect(recovered.result == nil)
        time.run()
        #expect(recovered.success == 1)
    }

    @Test func `a cancel reaches the recovery`() {
        let inner = Promise<Int>()
        let running = here.perform { failed.flatMapError(from: Oops.self) { _ in inner.future } }
        running.cancel()
        #expect(running.isCancelled)
        #expect(inner.future.isCancelled)
    }

    @Test func `a repetition repeats a recovery with its source`() {
        let runs = Shared(0)
        let calls = Shared(0)
        here.perform {
            let repeated = Future<Int>(immediate: { throw Oops(runs.increment()) })
                .recover(from: Oops.self) { error in
                    calls.increment()
                    throw error
                }
                .onErrorRepeat(maxRepetitions: 2) { _ in true }
            #expect(repeated.error as? Oops == Oops(3))
        }
        #expect(calls.value == 3)
    }

    @Test @MainActor func `a recovery is called where it was attached`() {
        var recovered = 0
        let value = Future<Int>(error: Oops(1)).recover(from: Oops.self) { error in
            recovered += error.number
            return recovered
        }
        let future = Future<Int>(error: Oops(1)).flatMapError(from: Oops.self) { error in
            recovered += error.number
            return Future(recovered)
        }
        #expect(value.success == 1)
        #expect(future.success == 2)
    }
}
