// QueuePriority: which of the waiting operations of a queue start first.

/// The precedence of an operation among those that wait in its queue.
///
/// Later versions may add cases, so a `switch` outside of this package needs an `@unknown default`.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum QueuePriority: Sendable {
    /// Starts before operations of other priorities.
    case high
    /// Starts after those of high priority, in the order in which they were enqueued.
    case normal
    /// Starts after operations of other priorities.
    case low
}
