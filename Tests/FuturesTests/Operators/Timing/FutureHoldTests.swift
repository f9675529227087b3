// hold: a result that waits for another future. Contract/Time.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureHoldTests {
    @Test func `a held result is passed on when both the result and the gate have arrived`() {
        for isGateFirst in [false, true] {
            let (promise, gate) = (Promise<Int>(), Promise<String>())
            let held = promise.future.hold(until: gate.future)
            if isGateFirst { gate.succeed("open") } else { promise.succeed(1) }
            #expect(held.result == nil)
            if isGateFirst { promise.succeed(1) } else { gate.succeed("open") }
            #expect(held.success == 1)
        }
        #expect(Future(1).hold(until: Future()).success == 1)
    }

    @Test func `an error is held like a value`() {
        let gate = Promise<Void>()
        let held = Future<Int>(error: Oops(1)).hold(until: gate.future)
        #expect(held.result == nil)
        gate.succeed()
        #expect(held.error as? Oops == Oops(1))
    }

    @Test func `a gate that fails, is cancelled or is abandoned opens`() {
        let (failed, cancelled) = (Promise<Void>(), Promise<Void>())
        var abandoned: Promise<Void>? = Promise()
        let held = [failed.future, cancelled.future, abandoned!.future].map { Future(1).hold(until: $0) }
        #expect(held.allSatisfy { $0.result == nil })
        failed.fail(Oops())
        cancelled.fail(CancellationError())
        abandoned = nil
        #expect(held.map(\.success) == [1, 1, 1])
    }

    @Test func `cancelling a hold cancels its future and its gate, unless they have other listeners`() {
        for isShared in [false, true] {
            let (promise, gate) = (Promise<Int>(), Promise<Int>())
            let held = promise.future.hold(until: gate.future)
            let others = isShared ? [promise, gate].map { $0.future.map(on: .immediate) { $0 } } : []
            held.cancel()
            #expect(held.isCancelled)
            #expect(promise.future.isCancelled == !isShared)
            #expect(gate.future.isCancelled == !isShared)
            #expect(others.allSatisfy { !$0.isCompleted })
        }
    }

    @Test func `a repetition of a hold repeats its gate too`() throws {
        let time = VirtualTime()
        let runs = Shared(0)
        let held = Future<Int>(on: .immediate, immediate: { throw Oops(runs.increment()) })
            .hold(until: Future().delay(by: .seconds(2), on: time.scheduler))
            .onErrorRepeat(on: .immediate, maxRepetitions: 2) { _ in true }
        try time.runToEnd()
        #expect(held.error as? Oops == Oops(3))
        #expect(time.now == .seconds(6))
    }

    @Test func `a future can be its own gate`() {
        let promise = Promise<Int>()
        let held = promise.future.hold(until: promise.future)
        promise.succeed(1)
        #expect(held.success == 1)
    }
}
