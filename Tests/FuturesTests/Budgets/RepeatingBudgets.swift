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
            precondition(
                failing.onErrorRepeat(on: .immediate, maxRepetitions: times) { _ in Future(true) }.isCompleted)
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
                Reason(1, "which run decides"), Reason(2, "a listener to each run"),
                Reason(2, "the delay: a future that has succeeded, and the node that waits"),
                Reason(1, "the closure of that, with the delay and the scheduler"),
                Reason(2, "the timer's node, and its closure"), Reason(2, "its disposable, which stops the timer"),
                Reason(2, "the node that begins the second run, and its closure"), types,
                Reason(2, "the cancel of the delay: a job in its turn, and what it captures"),
            ]
        ) { $0.hedged(after: .seconds(1), on: $1) },
        pending(
            "withoutHistory", of: "Future.withoutHistory",
            [
                node, Reason(1, "a listener"), Reason(2, "what that calls, and what of it passes on the result"),
                Reason(2, "what has the listener leave if this is cancelled, and its array"),
            ]
        ) { $0.withoutHistory() },
    ]

    /// What a circuit breaker adds to an operation.
    static let guarded = [
        Reason(4, "what the caller's future follows, as a repetition asks again; its node; its closure; their types"),
        Reason(4, "what calls the operation: a future that has succeeded, a flatMap, its closure, its types"),
        Reason(2, "the step that counts a value or a cancel, and what it calls"),
        Reason(4, "the step that counts an error; its closure; its types"),
    ]

    private static let repetition = [
        Reason(1, "the run's future"), Reason(2, "its completion, as in `Future { completion in }`"),
        Reason(1, "the node that continues with the next run"), Reason(1, "its history of the runs before"),
    ]
    private static let asking = [
        Reason(1, "the predicate's future"),
        Reason(2, "the node that looks at its answer, and its closure"),
        Reason(2, "the node that begins the next run, and its closure"),
    ]

    private static var failing: Future<Int> {
        Future(on: .immediate) { completion in
            escape(completion: completion)
            completion(.failure(refusal))
            return NilDisposer()
        }
    }

    private static var succeeding: Future<Int> {
        Future(on: .immediate) { completion in
            escape(completion: completion)
            completion(.success(1))
            return NilDisposer()
        }
    }
}
