// TurnQueue: counts, closing, pausing, draining and cancelling of everything that gives turns.

/// A queue, a keyed queue, a lock, a semaphore or a pool: what it counts, and how it is closed, paused, drained and
/// cancelled.
///
/// Releasing one affects no operations: those that run complete, and those that wait start.
public protocol TurnQueue: AnyObject, Sendable, CustomStringConvertible {
    /// Where operations wait for their turn. Only the library makes such values.
    static func _line(of queue: Self) -> Line

    /// Rejects operations from now on: see ``close(with:)``.
    func close(with error: any Error) -> Future<Void>
}

extension TurnQueue where Self: TurnGiver {
    /// Where operations wait for their turn.
    public static func _line(of queue: Self) -> Line { queue.turns.core.line }
}

extension TurnQueue {
    package var line: Line { Self._line(of: self) }

    /// Whether no operation waits or runs.
    package var isEmpty: Bool { line.state.withLock { $0.isEmpty } }

    /// The number of operations and callers that wait for their turn.
    public var waitingCount: Int { line.state.withLock { $0.waitingCount } }

    /// The number of operations and permits that have their turn, whatever their weights. A writer is one.
    public var runningCount: Int { line.state.withLock { $0.runningCount } }
}

extension TurnQueue {
    /// Returns a future that succeeds once no operation waits or runs, or immediately if that is so now.
    ///
    /// An operation that waits for this future would wait for itself: it fails with
    /// ``QueueError/deadlock(running:waiting:)``.
    public func drained() -> Future<Void> { line.watcher(.emptiness) }

    /// Returns a future that succeeds once another operation may wait, or immediately if that is so now.
    ///
    /// There is capacity while fewer than `maxWaitingCount` operations wait. If `maxWaitingCount` is zero, there is
    /// capacity while an operation of weight 1 could start immediately. Producers that wait for capacity are admitted
    /// one after the other, each after the callbacks of the one before it that are called in place have returned. The
    /// capacity is not reserved: if several producers enqueue from other schedulers or from tasks, enqueuing may fail
    /// again with ``QueueError/full(maxWaitingCount:)``.
    public func capacityAvailable() -> Future<Void> { line.watcher(.capacity) }
}

extension TurnQueue {
    /// Whether operations are accepted but do not start.
    ///
    /// Operations that have their turn continue, even if their closure is called after this was set to true. When it is
    /// set to false, operations that wait start before the setter returns. A queue to which no references are left
    /// starts its operations.
    public var isPaused: Bool {
        get { line.state.withLock { $0.isPaused } }
        set { line.adjust { $0.isPaused = newValue } }
    }
}

extension TurnQueue {
    /// Changes the priority of an operation that waits: it moves behind those that have the new priority already.
    ///
    ///     let write = queue.enqueue(with: .priority(.low)) { file in file.append(line) }
    ///     queue.setPriority(.high, of: write)     // it has become urgent
    ///
    /// - Parameters:
    ///   - priority: The new priority.
    ///   - future: The future of the operation, or of a chain that begins with it.
    /// - Returns: Whether the operation waits for its turn in this queue. Otherwise nothing changes.
    /// - Complexity: O(1) in the number of operations that wait.
    @discardableResult
    public func setPriority<T>(_ priority: QueuePriority, of future: Future<T>) -> Bool {
        let line = line
        let chain = Walk(from: [future.node], isBlocked: { $0.queued != nil }).nodes
        let operation = chain.lazy.compactMap { $0.queued as? LineNode }.first { $0.line === line }
        guard let operation, operation.kind == .operation else { return false }
        return line.adjust { $0.setPriority(priority, of: operation) }
    }
}

extension TurnQueue {
    /// The error of operations that are enqueued now, or nil while operations are accepted.
    package var closedError: (any Error)? { line.state.withLock { $0.closedError } }

    /// Rejects operations from now on. Operations that wait or run continue. Only the first call has an effect.
    ///
    /// - Parameter error: The error that operations fail with that are enqueued from now on.
    /// - Returns: A future that succeeds when all operations have completed. An operation of this queue must not wait
    ///   for it.
    @discardableResult
    public func close(with error: any Error = QueueError.closed) -> Future<Void> {
        line.close(with: error)
        return drained()
    }

    /// Fails the operations that wait or run, even if they have other listeners.
    ///
    /// What an operation that runs waits for is cancelled; its turn lasts until that has ended. All operations' futures
    /// have completed before a callback of any of them is called. Operations that are enqueued later are accepted, unless
    /// the queue is closed. The holder of a ``Permit`` keeps it.
    ///
    /// - Parameter error: The error that they fail with.
    public func cancelAll(with error: any Error = CancellationError()) {
        line.abort(with: error)
    }

    /// Cancels the operations that wait, even if they have other listeners. Operations that run continue.
    public func cancelWaiting() {
        line.abort(with: CancellationError(), onlyWaiting: true)
    }
}

extension TurnQueue {
    /// How many operations run and wait, and whether the queue is paused or closed.
    public var description: String { line.description }
}

extension Line: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary {
        let counts = state.withLock { ($0.runningCount, $0.waitingCount, $0.isPaused, $0.closedError != nil) }
        return (
            name.ofSummary, ["running": counts.0, "waiting": counts.1, "isPaused": counts.2, "isClosed": counts.3]
        )
    }
}

// A mirror would read their words without the lock.
extension QueueCore: CustomReflectable {
    @usableFromInline var customMirror: Mirror { line.mirror(of: self) }
}

extension Pool: CustomReflectable {
    @usableFromInline var customMirror: Mirror { line.mirror(of: self) }
}
