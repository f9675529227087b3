// TurnOptions: the priority and the time limits of an operation.

/// The priority and the time limits of an operation: the same of everything that gives turns.
///
///     queue.run(with: .priority(.high).waitTimeout(.seconds(1))) { file in try file.seek(to: 0) }
public struct TurnOptions: Sendable {
    /// The precedence among the operations that wait; of a keyed queue, among those of the key.
    @usableFromInline package var priority = QueuePriority.normal

    /// The time after which the operation fails with ``QueueError/waitTimedOut(after:)`` if it has not started; nil for
    /// no limit.
    @usableFromInline package var waitTimeout: Duration?

    /// The time after its start, including that of its cleanup, after which the operation fails with
    /// ``QueueError/runTimedOut(after:)`` and what it waits for is cancelled; nil for no limit.
    @usableFromInline package var runTimeout: Duration?

    /// Creates options of normal priority without time limits.
    @inlinable
    public init() {}

    /// Returns options with `priority`.
    public static func priority(_ priority: QueuePriority) -> TurnOptions { TurnOptions().priority(priority) }

    /// Returns options with the time `limit` for the wait; nil for no limit.
    public static func waitTimeout(_ limit: Duration?) -> TurnOptions { TurnOptions().waitTimeout(limit) }

    /// Returns options with the time `limit` for the run; nil for no limit.
    public static func runTimeout(_ limit: Duration?) -> TurnOptions { TurnOptions().runTimeout(limit) }

    /// Returns these options with another `priority`.
    public func priority(_ priority: QueuePriority) -> TurnOptions { changed { $0.priority = priority } }

    /// Returns these options with another time `limit` for the wait; nil for no limit.
    public func waitTimeout(_ limit: Duration?) -> TurnOptions { changed { $0.waitTimeout = limit } }

    /// Returns these options with another time `limit` for the run; nil for no limit.
    public func runTimeout(_ limit: Duration?) -> TurnOptions { changed { $0.runTimeout = limit } }

    private func changed(_ change: (inout TurnOptions) -> Void) -> TurnOptions {
        var options = self
        change(&options)
        return options
    }
}

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
