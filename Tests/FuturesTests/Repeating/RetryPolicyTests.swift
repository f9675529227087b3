// RetryPolicy: invalid arguments. Contract/Retrying.md

import Futures
import FuturesTesting
import Testing

@Suite struct RetryPolicyTests {
    @Test func `a negative delay, factor or number in a policy traps`() async {
        func expectTraps(_ result: ExitTest.Result?, _ message: String) { expectTrap(result, saying: message) }
        await expectTraps(
            #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = Backoff.constant(.seconds(-1))
            }, "A delay must not be negative")
        await expectTraps(
            #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = Backoff.exponential(from: .seconds(1), upTo: .seconds(-1))
            }, "A delay must not be negative")
        await expectTraps(
            #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = Backoff.linear(from: .seconds(1), by: .seconds(-1))
            }, "Delays must not become shorter")
        await expectTraps(
            #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = Backoff.exponential(from: .seconds(1), factor: .nan, upTo: .seconds(1))
            }, "Delays must not become shorter")
        await expectTraps(
            #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = RetryPolicy(.constant(.zero), maxRepetitions: -1)
            }, "maxRepetitions must not be negative")
        await expectTraps(
            #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = RetryBudget(ratio: -1)
            }, "A retry budget's numbers must not be negative")
    }

    @Test func `attempts and errors can be created for tests of the code that handles them`() {
        let attempt = RetryAttempt(number: 3, error: Oops(3), outcome: .retry(after: .seconds(1)))
        #expect(
            attempt.number == 3 && attempt.error as? Oops == Oops(3) && attempt.outcome == .retry(after: .seconds(1)))
        let error = TooFewSuccessesError(wanted: 2, count: 3, errors: [Oops(1), Oops(2)])
        #expect(error.wanted == 2 && error.count == 3 && error.errors as? [Oops] == [Oops(1), Oops(2)])
    }

    @Test(arguments: [0, UInt64.max])
    func `a jittered delay is in its range with a generator that always returns the same number`(number: UInt64) {
        let time = VirtualTime()
        let policy = RetryPolicy(.constant(.seconds(8)).jittered(using: Constant(number: number)), maxRepetitions: 1)
        let end = Future<Int>(error: Oops()).retry(policy, on: time.scheduler)
        time.advance(by: .seconds(8))
        #expect(end.isCompleted)
    }

    private struct Constant: RandomNumberGenerator, Sendable {
        let number: UInt64
        func next() -> UInt64 { number }
    }
}
