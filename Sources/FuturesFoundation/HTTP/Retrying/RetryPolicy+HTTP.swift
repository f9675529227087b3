// RetryPolicy.http: retries requests as their servers ask for it.

import Futures

extension RetryPolicy {
    /// Returns a policy for idempotent HTTP requests. It retries transient errors, and waits at least as long as the
    /// server asks for with `Retry-After`.
    ///
    ///     client.data(from: address).retry(.http(timeLimit: .seconds(60)))
    ///
    /// - Parameters:
    ///   - delays: The policy whose delays come between the requests, if the server does not ask for longer ones.
    ///   - maxRepetitions: The maximum number of repetitions after the first request; nil for that of `delays`.
    ///   - timeLimit: A time limit, counted from the start of the first request: no request starts after it.
    ///   - budget: A limit of the repetitions of all requests that share it; nil for none.
    ///   - maxRetryAfter: The longest time that a server may ask for. If it asks for more, the error is passed on
    ///     immediately, because an earlier retry would only be rejected again.
    public static func http(
        _ delays: RetryPolicy = .exponential(from: .milliseconds(500), upTo: .seconds(30)).jittered(),
        maxRepetitions: Int? = 3, timeLimit: Duration? = nil, budget: RetryBudget? = nil,
        maxRetryAfter: Duration = .seconds(60)
    ) -> RetryPolicy {
        RetryPolicy(
            delays, maxRepetitions: maxRepetitions, timeLimit: timeLimit, budget: budget,
            when: { error in
                HTTPError.isTransient(error) && HTTPError.retryAfter(error) ?? .zero <= maxRetryAfter
            },
            minimumDelay: { HTTPError.retryAfter($0) })
    }
}
