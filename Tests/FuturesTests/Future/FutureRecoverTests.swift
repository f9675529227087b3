// recover, flatMapError, mapError. Contract/Operators.md

import Futures
import Testing

private struct Offline: Error {}

@Suite struct FutureRecoverTests {
    /// Where recoveries without `on:` run in place.
    private let here = Scheduler(label: "here")
    private let one = Future(1), failed = Future<Int>(error: Oops(1))

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
}
