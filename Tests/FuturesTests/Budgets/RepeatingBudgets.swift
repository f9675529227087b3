// Budgets of repeating: for each repetition, as one run has many.

import Futures

extension Budget {
    static let repeating = [
        Budget("onErrorRepeat with a predicate, 1 repetition", of: "Future.onErrorRepeat", repetition) { times in
            precondition(failing.onErrorRepeat(on: .immediate, maxRepetitions: times).isCompleted)
        },
        Budget(
            "onErrorRepeat with a predicate's future, 1 repetition", of: "Future.onErrorRepeat",
            repetition + asking
        ) { times in
            precondition(failing.onErrorRepeat(on: .immediate, maxRepetitions: times) { _ in Future(true) }.isCompleted)
        },
        Budget("onValueRepeat with a predicate, 1 repetition", of: "Future.onValueRepeat", repetition) { times in
            precondition(succeeding.onValueRepeat(on: .immediate, maxRepetitions: times).isCompleted)
        },
        Budget("onResultRepeat with a predicate, 1 repetition", of: "Future.onResultRepeat", repetition) { times in
            precondition(succeeding.onResultRepeat(on: .immediate, maxRepetitions: times).isCompleted)
        },
        Budget("repeatAndCollect, 1 repetition", of: "Future.repeatAndCollect", repetition + [types]) { times in
            precondition(succeeding.repeatAndCollect(on: .immediate, maxRepetitions: times).isCompleted)
        },
        Budget("retry without delays, 1 repetition", of: "Future.retry", repetition + [types]) { times in
            let policy = RetryPolicy(.constant(.zero), maxRepetitions: times)
            precondition(failing.retry(policy, on: .immediate).isCompleted)
        },
        each("a call with a circuit breaker", of: "CircuitBreaker.future", [made] + guarded) {
            [breaker = CircuitBreaker(maxFailures: 1, resetTimeout: .zero)] in
            escape(breaker.future(on: .immediate) { Future(1) })
        },
        timed(
            "hedged, in time", of: "Future.hedged",
            combination(of: 2) + timer + [
                Reason(3, "a listener to each run, and which run decides"),
                Reason(13, "the delay, as in `delay(by:)`, what begins the second run then, and its cancel"),
            ]
        ) { $0.hedged(after: .seconds(1), on: $1) },
        pending(
            "withoutHistory", of: "Future.withoutHistory",
            [node, Reason(5, "a listener, what that calls, and what has it leave if this is cancelled")]
        ) { $0.withoutHistory() },
    ]

    /// What a circuit breaker adds to an operation.
    static let guarded = [
        Reason(8, "the caller's future, which asks again in a repetition, and the flatMap that calls the operation"),
        Reason(6, "the steps that count a value or a cancel, and an error"),
    ]

    private static let repetition = [
        Reason(1, "the run's future"), completion,
        Reason(1, "the node that continues with the next run"), Reason(1, "its history of the runs before"),
    ]
    private static let asking = [Reason(6, "the predicate's future, and the nodes of its answer and of the next run")]

    private static var failing: Future<Int> { completed(.failure(refusal)) }
    private static var succeeding: Future<Int> { completed(.success(1)) }

    private static func completed(_ result: Result<Int, any Error>) -> Future<Int> {
        Future(on: .immediate) { completion in
            escape(completion: completion)
            completion(result)
            return NilDisposer()
        }
    }
}
