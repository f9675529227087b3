// QueuePriority: which of the waiting operations of a queue start first.

/// How urgent an operation is.
public enum QueuePriority: Sendable {
    /// Before all others that wait.
    case high
    /// In the order in which they came.
    case normal
    /// Behind all others that wait.
    case low
}
