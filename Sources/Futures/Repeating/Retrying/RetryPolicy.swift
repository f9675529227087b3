// RetryPolicy: which errors to retry, how often, how long, and after which delays.

/// Which errors to retry, how often, how long, and after which delays.
///
///     let policy = RetryPolicy(
///         .exponential(from: .milliseconds(100), upTo: .seconds(10)).jittered(),
///         maxRepetitions: 5, deadline: .seconds(30), budget: budget
///     ) { error in error is Offline }
///     page.retry(policy)
///
/// A policy is a value: it has no state but for its budget and its generator of random numbers, which it shares with its
/// copies, and it can serve any number of futures.
public struct RetryPolicy: Sendable {
    let backoff: Backoff
    let maxRepetitions: Int
    let deadline: Duration?
    let budget: RetryBudget?
    let minimumDelay: @Sendable (any Error) -> Duration?
    let isRetried: @Sendable (any Error) -> Bool

    /// Makes a policy; what is left out sets no limit.
    ///
    /// - Parameters:
    ///   - backoff: the delays.
    ///   - maxRepetitions: how many repetitions there are at most.
    ///   - deadline: how long after the beginning of the first run the last one may begin. A run that is in progress
    ///     then goes on: give each one a limit of its own.
    ///   - budget: how many repetitions there may be at most of all futures that share it.
    ///   - isRetried: whether an error is retried; all are but a `CancellationError`. Called where the retrying is
    ///     scheduled, as is `minimumDelay`.
    ///   - minimumDelay: what an error asks for if that is longer than the delay: "try again in a minute".
    ///
    /// - Precondition: `maxRepetitions` is not negative.
    public init(
        _ backoff: Backoff, maxRepetitions: Int? = nil, deadline: Duration? = nil, budget: RetryBudget? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        when isRetried: @escaping @Sendable (any Error) -> Bool = { !($0 is CancellationError) },
        minimumDelay: @escaping @Sendable (any Error) -> Duration? = { _ in nil }
    ) {
        guard maxRepetitions ?? 0 >= 0 else {
            fatalError(
                "maxRepetitions must not be negative. Use 0 for no repetition, nil for no limit.", file: file,
                line: line)
        }
        self.backoff = backoff
        self.maxRepetitions = maxRepetitions ?? .max
        self.deadline = deadline
        self.budget = budget
        self.minimumDelay = minimumDelay
        self.isRetried = isRetried
    }
}

/// A run that has failed, and what follows.
public struct RetryAttempt: Sendable {
    /// What follows a run that has failed.
    public enum Outcome: Sendable, Equatable {
        /// Another run, after this delay.
        case again(after: Duration)
        /// Nothing: the policy does not retry this error.
        case notRetried
        /// Nothing: there were as many repetitions as there may be.
        case tooMany
        /// Nothing: the next run would begin after the deadline.
        case tooLate
        /// Nothing: the shared budget is used up.
        case overBudget
    }

    /// Which run it was, counted from 1.
    public let number: Int
    /// What it has failed with.
    public let error: any Error
    /// What follows.
    public let outcome: Outcome
}

extension RetryPolicy {
    /// What follows when the run after so many repetitions has failed, so long after the beginning.
    func outcome(
        _ error: any Error, after repetitions: Int, _ previous: Duration?, elapsed: Duration,
        at now: ContinuousClock.Instant
    ) -> RetryAttempt.Outcome {
        guard isRetried(error) else { return .notRetried }
        guard repetitions < maxRepetitions else { return .tooMany }
        let delay = max(backoff.delay(after: repetitions, previous), minimumDelay(error) ?? .zero)
        if let deadline, elapsed.delayed(by: delay) >= deadline { return .tooLate }
        if let budget, !budget.withdraw(at: now) { return .overBudget }
        return .again(after: delay)
    }
}
