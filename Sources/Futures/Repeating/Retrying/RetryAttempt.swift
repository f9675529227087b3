// RetryAttempt: a run that has failed, and the policy's decision.

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
}
