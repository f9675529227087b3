// RetryAttempt: a run that has failed, and the policy's decision.

/// A run that has failed, and the policy's decision.
public struct RetryAttempt: Sendable {
    /// The number of the run, counted from 1.
    public let number: Int
    /// The error of the run.
    public let error: any Error
    /// The delay after which the future is repeated; nil if the policy passes the error on.
    public let nextDelay: Duration?
}
