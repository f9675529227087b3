// RetryPolicy: which errors are retried, how often, for how long, and after which delays.

/// Which errors are retried, how often, for how long, and after which delays.
///
///     let policy = RetryPolicy(
///         .exponential(from: .milliseconds(100), upTo: .seconds(10)).jittered(),
///         maxRepetitions: 5, timeLimit: .seconds(30), budget: budget
///     ) { error in error is Offline }
///     page(at: url).retry(policy)
///
/// A policy is a value, which any number of futures can use. Copies share its budget and its random number generator;
/// it has no other state.
public struct RetryPolicy: Sendable {
    /// The delays between the runs.
    public let backoff: Backoff
    /// The maximum number of repetitions after the first run; nil for no limit.
    public let maxRepetitions: Int?
    /// The time, counted from the start of the first run, after which no run starts; nil for no limit.
    public let timeLimit: Duration?
    /// The limit of the repetitions of all futures that share it; nil for none.
    public let budget: RetryBudget?
    let minimumDelay: @Sendable (any Error) -> Duration?
    let isRetried: @Sendable (any Error) -> Bool

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - backoff: The delays between the runs.
    ///   - maxRepetitions: The maximum number of repetitions after the first run; nil for no limit. Without a limit,
    ///     repetitions without a delay wait for 100 ms each, after the hundredth failure.
    ///   - timeLimit: A time limit, counted from the start of the first run: no run starts after it, and if the next
    ///     one would, the error is passed on immediately. A run that is in progress then continues; limit it by a
    ///     `timeout` of its own. Nil for no limit.
    ///   - budget: A limit of the repetitions of all futures that share it; nil for none.
    ///   - file: The file named by the trap if `maxRepetitions` is negative.
    ///   - line: The line named by the trap if `maxRepetitions` is negative.
    ///   - isRetried: Returns whether an error is retried; by default, any error but a `CancellationError` and
    ///     `QueueError.closed`. It is called where the retrying is scheduled, as `minimumDelay` is.
    ///   - minimumDelay: Returns the shortest delay that an error asks for, such as the `Retry-After` of a server, or
    ///     nil. A longer delay of the backoff has precedence; the backoff's cap does not apply.
    /// - Precondition: `maxRepetitions` is not negative.
    public init(
        _ backoff: Backoff, maxRepetitions: Int? = nil, timeLimit: Duration? = nil, budget: RetryBudget? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        when isRetried: @escaping @Sendable (any Error) -> Bool = { !$0.isFinal },
        minimumDelay: @escaping @Sendable (any Error) -> Duration? = { _ in nil }
    ) {
        guard maxRepetitions ?? 0 >= 0 else {
            fatalError(
                "maxRepetitions must not be negative. Use 0 for no repetition, nil for no limit.", file: file,
                line: line)
        }
        self.backoff = backoff
        self.maxRepetitions = maxRepetitions
        self.timeLimit = timeLimit
        self.budget = budget
        self.minimumDelay = minimumDelay
        self.isRetried = isRetried
    }
}

/// A run that has failed, and the policy's decision.
public struct RetryAttempt: Sendable {
    /// The decision of a policy about a run that has failed.
    ///
    /// Later versions may add cases, so a `switch` outside of this package needs an `@unknown default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Outcome: Sendable, Equatable {
        /// The future is repeated after this delay.
        case retry(after: Duration)
        /// The error is passed on: the policy does not retry it.
        case notRetryable
        /// The error is passed on: the maximum number of repetitions is reached.
        case repetitionsExhausted
        /// The error is passed on: the next run would not start within the time limit.
        case timeLimitExceeded
        /// The error is passed on: the shared budget is used up.
        case budgetExhausted
    }

    /// The number of the run, counted from 1.
    public let number: Int
    /// The error of the run.
    public let error: any Error
    /// The policy's decision.
    public let outcome: Outcome

    /// Creates an attempt, for instance for a test of an `onAttempt` closure.
    ///
    /// - Parameters:
    ///   - number: The number of the run, counted from 1.
    ///   - error: The error of the run.
    ///   - outcome: The policy's decision.
    public init(number: Int, error: any Error, outcome: Outcome) {
        self.number = number
        self.error = error
        self.outcome = outcome
    }
}

extension RetryPolicy {
    /// Returns the decision about a run that has failed, after `repetitions` repetitions and `elapsed` after the start
    /// of the first run.
    func outcome(
        _ error: any Error, after repetitions: Int, _ previous: Duration?, elapsed: Duration,
        at now: ContinuousClock.Instant
    ) -> RetryAttempt.Outcome {
        guard isRetried(error) else { return .notRetryable }
        guard repetitions < maxRepetitions ?? .max else { return .repetitionsExhausted }
        var delay = max(backoff.delay(after: repetitions, previous), minimumDelay(error) ?? .zero)
        if maxRepetitions == nil { delay = delay.paced(after: repetitions + 1) }
        if let timeLimit, elapsed.delayed(by: delay) >= timeLimit { return .timeLimitExceeded }
        if let budget, !budget.withdraw(at: now) { return .budgetExhausted }
        return .retry(after: delay)
    }
}
