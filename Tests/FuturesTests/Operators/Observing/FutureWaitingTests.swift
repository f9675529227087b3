// Contract, rule 27: onValueWaiting, onErrorWaiting, onResultWaiting.

import Futures
import FuturesTesting
import Testing

@Suite struct FutureWaitingTests {
    /// The future, observed by a callback that waits for `gate`, in each way that sees its result.
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

    @Test func `a callback that waits keeps the result until its future has succeeded`() {
        let (log, gate) = (Log<Int>(), Promise<String>())
        let values = waiting(Future(1), for: gate.future, log)
        let errors = waiting(Future(error: Oops(2)), for: gate.future, log)
        #expect(log.entries == [1, 1, -1, 2])
        #expect((values + errors).allSatisfy { $0.result == nil })
        gate.succeed("open")
        #expect(values.map(\.success) == [1, 1])
        #expect(errors.map { $0.error as? Oops } == [Oops(2), Oops(2)])
    }

    @Test func `a failure of what a callback waits for is the failure`() {
        let (log, gate) = (Log<Int>(), Promise<String>())
        let futures = waiting(Future(1), for: gate.future, log) + waiting(Future(error: Oops(2)), for: gate.future, log)
        gate.fail(Oops(3))
        #expect(futures.map { $0.error as? Oops } == Array(repeating: Oops(3), count: 4))
    }

    @Test func `a throw of a callback that waits is the failure`() {
        let futures = [
            Future(1).onValueWaiting(on: .immediate) { _ -> Future<Int> in throw Oops(4) },
            Future(1).onResultWaiting(on: .immediate) { _ -> Future<Int> in throw Oops(4) },
            Future(error: Oops(1)).onErrorWaiting(on: .immediate) { _ -> Future<Int> in throw Oops(4) },
        ]
        #expect(futures.map { $0.error as? Oops } == Array(repeating: Oops(4), count: 3))
    }

    @Test func `what a callback that waits is not for passes it by`() {
        let calls = Shared(0)
        let value = Future(1).onErrorWaiting(on: .immediate) { _ in Future(calls.increment()) }
        let error = Future<Int>(error: Oops(2)).onValueWaiting(on: .immediate) { _ in Future(calls.increment()) }
        #expect(value.success == 1)
        #expect(error.error as? Oops == Oops(2))
        #expect(calls.value == 0)
    }

    @Test func `a cancel reaches what a callback waits for`() {
        let (log, gate) = (Log<Int>(), Promise<String>())
        let futures = waiting(Future(1), for: gate.future, log) + waiting(Future(error: Oops(2)), for: gate.future, log)
        for future in futures { future.cancel() }
        #expect(futures.allSatisfy { $0.isCancelled })
        #expect(gate.future.isCancelled)
    }

    @Test func `each run waits anew`() {
        let runs = Shared(0)
        let future = Future(1).onValueWaiting(on: .immediate) { _ in Future<Int>(error: Oops(runs.increment())) }
            .onErrorRepeat(on: .immediate, maxRepetitions: 2) { _ in true }
        #expect(future.error as? Oops == Oops(3))
    }

    @Test @MainActor func `a callback that waits is called where it was attached`() {
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
