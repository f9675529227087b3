// RetryPolicy: invalid arguments.

import Futures
import FuturesTesting
import Testing

@Suite struct RetryPolicyTests {
    @Test func `a backoff after a negative number of repetitions waits as after none, and its delay stops growing`() {
        let backoff = RetryPolicy.linear(from: .seconds(1), by: .seconds(2))
        #expect(backoff.delay(after: .min) == .seconds(1) && backoff.delay(after: 0) == .seconds(1))
        #expect(backoff.delay(after: .max) == backoff.delay(after: .max - 1))
    }

    @Test func `a negative delay, factor or number in a policy traps`() async {
        func expectTraps(_ result: ExitTest.Result?, _ message: String) { expectTrap(result, saying: message) }
        await expectTraps(
            #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = RetryPolicy.constant(.seconds(-1))
            }, "A delay must not be negative")
        await expectTraps(
            #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = RetryPolicy.exponential(from: .seconds(1), upTo: .seconds(-1))
            }, "A delay must not be negative")
        await expectTraps(
            #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = RetryPolicy.linear(from: .seconds(1), by: .seconds(-1))
            }, "Delays must not become shorter")
        await expectTraps(
            #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = RetryPolicy.exponential(from: .seconds(1), factor: .nan, upTo: .seconds(1))
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

    @Test func `a custom backoff waits as its closure says, and a policy shows what it was made of`() {
        let time = VirtualTime()
        let budget = RetryBudget(ratio: 5)
        let policy = RetryPolicy(
            .custom { .seconds([1, 0, -5, 2][$0]) }, maxRepetitions: 4, timeLimit: .seconds(60), budget: budget)
        let runs = Log<Duration>()
        let end = Future<Int>(on: .immediate) { completion in
            runs.add(time.now)
            completion(.failure(Oops()))
            return NilDisposer()
        }.retry(policy, on: time.scheduler)
        time.advance(by: .seconds(9))
        #expect(end.isCompleted && runs.entries == [0, 1, 1, 1, 3].map { .seconds($0) })
        #expect(policy.maxRepetitions == 4 && policy.timeLimit == .seconds(60) && policy.budget != nil)
        #expect(policy.delay(after: 3) == .seconds(2) && policy.delay(after: 2) == .zero)
        #expect(RetryPolicy(.constant(.zero)).maxRepetitions == nil)
        let growing = RetryPolicy.exponential(from: .seconds(1), upTo: .seconds(5))
        #expect((0..<4).map { growing.delay(after: $0) } == [1, 2, 4, 5].map { .seconds($0) })
    }

    private struct Constant: RandomNumberGenerator, Sendable {
        let number: UInt64
        func next() -> UInt64 { number }
    }
}
