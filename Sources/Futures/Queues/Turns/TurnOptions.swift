// TurnOptions: the priority, the weight and the time limits of an operation.

/// The priority, the weight and the time limits of an operation: the same of everything that gives turns.
///
///     queue.run(with: .priority(.high).waitTimeout(.seconds(1))) { file in try file.seek(to: 0) }
public struct TurnOptions: Sendable {
    /// The precedence among the operations that wait; of a keyed queue, among those of the key.
    @usableFromInline package var priority = QueuePriority.normal

    /// How many of the turns that run concurrently the operation takes.
    @usableFromInline package var weight = 1

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

    /// Returns options with `weight`, the part of the limit that the operation takes.
    public static func weight(_ weight: Int, file: StaticString = #fileID, line: UInt = #line) -> TurnOptions {
        TurnOptions().weight(weight, file: file, line: line)
    }

    /// Returns options with the time `limit` for the wait; nil for no limit.
    public static func waitTimeout(_ limit: Duration?) -> TurnOptions { TurnOptions().waitTimeout(limit) }

    /// Returns options with the time `limit` for the run; nil for no limit.
    public static func runTimeout(_ limit: Duration?) -> TurnOptions { TurnOptions().runTimeout(limit) }

    /// Returns these options with another `priority`.
    public func priority(_ priority: QueuePriority) -> TurnOptions { changed { $0.priority = priority } }

    /// Returns these options with another `weight`: how much of the queue's `maxConcurrentCount`, or of a semaphore's
    /// `count`, the operation takes.
    ///
    ///     let uploads = FutureQueue(maxConcurrentCount: 10_000_000)      // bytes
    ///     uploads.enqueue(with: .weight(1_500_000)) { Future(1).delay(by: .seconds(1)) }
    ///
    /// An operation starts when its weight fits beside those that run, and operations behind it do not overtake it. With a
    /// weight above the limit, it fails with ``QueueError/tooHeavy(weight:limit:)``. If the limit becomes smaller while it
    /// waits, it runs alone. `maxWaitingCount`, rates and the limit of a key count operations. An operation of a pool
    /// takes one resource.
    ///
    /// - Parameters:
    ///   - weight: The weight; 1 is that of operations without this.
    ///   - file: The file named by the trap if `weight` is less than 1.
    ///   - line: The line named by the trap if `weight` is less than 1.
    /// - Precondition: `weight` is at least 1.
    public func weight(_ weight: Int, file: StaticString = #fileID, line: UInt = #line) -> TurnOptions {
        guard weight >= 1 else { fatalError("A weight must be at least 1.", file: file, line: line) }
        return changed { $0.weight = weight }
    }

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
