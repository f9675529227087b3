// RetryPolicy: invalid arguments.

import Futures
import FuturesTesting
import Testing

@Suite struct RetryPolicyTests {
    @Test func `a backoff after a negative number of repetitions waits as after none, and its delay stops growing`() {
        let backoff = RetryPolicy.exponential(from: .seconds(1), upTo: .seconds(60))
        #expect(backoff.delay(after: .min) == .seconds(1) && backoff.delay(after: 0) == .seconds(1))
        #expect(backoff.delay(after: .max) == backoff.delay(after: .max - 1))
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
