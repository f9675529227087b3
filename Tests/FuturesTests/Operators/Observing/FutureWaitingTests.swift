// onValueWaiting, onErrorWaiting, onResultWaiting: callbacks that delay the result. Contract/Operators.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureWaitingTests {
    /// Returns futures that observe `future`, one for each method that sees its result, with a callback that waits for
    /// `gate`.
    private func waiting(_ future: Future<Int>, for gate: Future<String>, _ log: Log<Int>) -> [Future<Int>] {
        let onResult = future.onResultWaiting(on: .immediate) { result in
            log.add((try? result.get()) ?? -1)
            return gate
        }
        let other =
            if future.success != nil {
                future.onValueWaiting(on: .immediate) { value in
                    log.add(value)
                    return gate
                }
            } else {
                future.onErrorWaiting(on: .immediate) { error in
                    log.add((error as? Oops)?.number ?? -1)
                    return gate
                }
            }
        return [onResult, other]
    }

    @Test func `a waiting callback delays the result until its future has succeeded`() {
        let (log, gate) = (Log<Int>(), Promise<String>())
        let values = waiting(Future(1), for: gate.future, log)
        let errors = waiting(Future(error: Oops(2)), for: gate.future, log)
        #expect(log.entries == [1, 1, -1, 2])
        #expect((values + errors).allSatisfy { $0.result == nil })
        gate.succeed("open")
        #expect(values.map(\.success) == [1, 1])
        #expect(errors.map { $0.error as? Oops } == [Oops(2), Oops(2)])
    }

    @Test func `a failure of a waiting callback's future replaces the result`() {
        let (log, gate) = (Log<Int>(), Promise<String>())
        let futures = waiting(Future(1), for: gate.future, log) + waiting(Future(error: Oops(2)), for: gate.future, log)
        gate.fail(Oops(3))
        #expect(futures.map { $0.error as? Oops } == Array(repeating: Oops(3), count: 4))
    }

    @Test func `an error thrown by a waiting callback replaces the result`() {
        let futures = [
            Future(1).onValueWaiting(on: .immediate) { _ -> Future<Int> in throw Oops(4) },
            Future(1).onResultWaiting(on: .immediate) { _ -> Future<Int> in throw Oops(4) },
            Future(error: Oops(1)).onErrorWaiting(on: .immediate) { _ -> Future<Int> in throw Oops(4) },
        ]
        #expect(futures.map { $0.error as? Oops } == Array(repeating: Oops(4), count: 3))
    }

    @Test func `a result that does not apply to a waiting callback passes it`() {
        let calls = Shared(0)
        let value = Future(1).onErrorWaiting(on: .immediate) { _ in Future(calls.increment()) }
        let error = Future<Int>(error: Oops(2)).onValueWaiting(on: .immediate) { _ in Future(calls.increment()) }
        #expect(value.success == 1)
        #expect(error.error as? Oops == Oops(2))
        #expect(calls.value == 0)
    }

    @Test func `a cancel reaches the future of a waiting callback`() {
        let (log, gate) = (Log<Int>(), Promise<String>())
        let futures = waiting(Future(1), for: gate.future, log) + waiting(Future(error: Oops(2)), for: gate.future, log)
        for future in futures { future.cancel() }
        #expect(futures.allSatisfy { $0.isCancelled })
        #expect(gate.future.isCancelled)
    }

    @Test func `each run waits for a new future of the waiting callback`() {
        let runs = Shared(0)
        let future = Future(1).onValueWaiting(on: .immediate) { _ in Future<Int>(error: Oops(runs.increment())) }
            .onErrorRepeat(on: .immediate, maxRepetitions: 2) { _ in true }
        #expect(future.error as? Oops == Oops(3))
    }

    @Test @MainActor func `a waiting callback is called where it was attached`() {
        var called = 0
        let value = Future(1).onValueWaiting { _ in
            called += 1
            return Future()
        }
        let result = Future(1).onResultWaiting { _ in
            called += 1
            return Future()
        }
        let error = Future<Int>(error: Oops()).onErrorWaiting { _ in
            called += 1
            return Future()
        }
        #expect(value.success == 1 && result.success == 1 && error.error is Oops)
        #expect(called == 3)
    }
}
