// QueueOverflow: what a queue does when an operation comes and too many wait.

/// What a queue does when an operation is enqueued and `maxWaitingCount` operations wait.
///
/// Later versions may add cases, so a `switch` outside of this package needs an `@unknown default`.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum QueueOverflow: Sendable {
    /// The new operation fails with ``QueueError/full(maxWaitingCount:)``.
    case reject

    /// The operation that has waited longest, of those with the lowest priority, fails with
    /// ``QueueError/full(maxWaitingCount:)``, and the new one waits instead.
    ///
    /// If all that wait have a higher priority, or `maxWaitingCount` is zero, the new operation fails.
    case dropOldest
}
