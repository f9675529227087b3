// recover, flatRecover, replaceError. Contract/Operators.md

import Futures
import FuturesTesting
import Testing

private struct Offline: Error {}

@Suite struct FutureRecoverTests {
    @Test func `a recovery from one error type passes other errors on`() {
        func recovered(_ future: Future<Int>) -> [Future<Int>] {
            [
                future.recover(on: .immediate, from: Oops.self) { $0.number + 1 },
                future.flatRecover(on: .immediate, from: Oops.self) { Future($0.number + 1) },
            ]
        }
        for future in recovered(Future(error: Oops(1))) { #expect(future.success == 2) }
        for future in recovered(Future(error: Offline())) { #expect(future.error is Offline) }
        for future in recovered(Future(error: CancellationError())) { #expect(future.isCancelled) }
        for future in recovered(Future(5)) { #expect(future.success == 5) }
        #expect(
            Future(error: CancellationError()).recover(on: .immediate, from: CancellationError.self) { _ in 7 }.success
                == 7)
        #expect(Future(error: Offline()).recover(on: .immediate, from: (any Error).self) { _ in 8 }.success == 8)
    }

    @Test func `an error of a recovery, thrown or from its future, replaces the original error`() {
        let failed = Future<Int>(error: Oops(1))
        #expect(failed.recover(on: .immediate, from: Oops.self) { _ in throw Oops(2) }.error as? Oops == Oops(2))
        #expect(failed.flatRecover(on: .immediate, from: Oops.self) { _ in throw Oops(3) }.error as? Oops == Oops(3))
        #expect(
            failed.flatRecover(on: .immediate, from: Oops.self) { _ in Future(error: Oops(4)) }.error as? Oops
                == Oops(4))
    }

    @Test func `errors of other types pass a recovery without a hop`() {
        let time = VirtualTime()
        let passed = Future<Int>(error: Offline()).recover(on: time.scheduler, from: Oops.self) { _ in 1 }
            .flatRecover(on: time.scheduler, from: Oops.self) { _ in Future(2) }
        #expect(passed.error is Offline)
        let recovered = Future<Int>(error: Oops(1)).recover(on: time.scheduler, from: Oops.self) {
            time.scheduler.isCurrent ? $0.number : 0
        }
        #expect(recovered.result == nil)
        time.run()
        #expect(recovered.success == 1)
    }

    @Test func `a cancel reaches the recovery`() {
        let time = VirtualTime()
        let called = Shared(0)
        let inner = Promise<Int>()
        let waiting = Future<Int>(error: Oops(1)).recover(on: time.scheduler, from: Oops.self) { _ in called.increment()
        }
        let running = Future<Int>(error: Oops(1)).flatRecover(on: .immediate, from: Oops.self) { _ in inner.future }
        waiting.cancel()
        running.cancel()
        time.run()
        #expect(waiting.isCancelled && running.isCancelled && inner.future.isCancelled)
        #expect(called.value == 0)
    }

    @Test func `replaceError replaces every error by a value`() {
        #expect(Future(1).replaceError(with: 2).success == 1)
        #expect(Future<Int>(error: Oops(1)).replaceError(with: 2).success == 2)
        #expect(Future<Int>(error: CancellationError()).replaceError(with: 2).success == 2)
        let pending = Promise<Int>()
        let cancelled = pending.future.replaceError(with: 2)
        cancelled.cancel()
        #expect(cancelled.isCancelled)
    }

    @Test func `a repetition repeats a recovery with its source`() {
        let runs = Shared(0)
        let calls = Shared(0)
        let repeated = Future<Int>(on: .immediate, immediate: { throw Oops(runs.increment()) })
            .recover(on: .immediate, from: Oops.self) { error in
                calls.increment()
                throw error
            }
            .onErrorRepeat(on: .immediate, maxRepetitions: 2) { _ in true }
        #expect(repeated.error as? Oops == Oops(3))
        #expect(calls.value == 3)
    }

    @Test @MainActor func `a recovery is called where it was attached`() {
        var recovered = 0
        let value = Future<Int>(error: Oops(1)).recover(from: Oops.self) { error in
            recovered += error.number
            return recovered
        }
        let future = Future<Int>(error: Oops(1)).flatRecover(from: Oops.self) { error in
            recovered += error.number
            return Future(recovered)
        }
        #expect(value.success == 1)
        #expect(future.success == 2)
    }
}
