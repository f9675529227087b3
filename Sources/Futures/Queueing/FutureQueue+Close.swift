// Closing, aborting and pausing a queue, and its counts.

extension FutureQueue {
    /// Whether no operation waits or runs.
    public var isEmpty: Bool { core.line.state.withLock { $0.isEmpty } }

    /// The number of operations that wait for their turn.
    public var waitingCount: Int { core.line.state.withLock { $0.waitingCount } }

    /// The number of operations that have their turn.
    public var runningCount: Int { core.line.state.withLock { $0.runningCount } }

    /// Returns a future that succeeds once no operation waits or runs, or immediately if that is so now.
    ///
    /// An operation of this queue that waits for this future would wait for itself: it fails with
    /// ``QueueError/deadlock(running:waiting:)``.
    public func drained() -> Future<Void> { core.line.emptiness(next: false) }

    /// Returns a future that succeeds the next time that the queue's last operation completes.
    ///
    /// Unlike ``drained()`` it does not complete while the queue stays empty. It fails with ``QueueError/closed`` if no
    /// operation can be enqueued any more: if the queue is empty, and closed or released.
    public func nextDrained() -> Future<Void> { core.line.emptiness(next: true) }

    /// Returns a future that succeeds once the queue has room for an operation, or immediately if it has room now.
    ///
    /// It has room while fewer than `maxWaitingCount` operations wait. If `maxWaitingCount` is zero, it has room while an
    /// operation could start immediately. A queue that drops its oldest operation accepts another one also without room.
    ///
    /// Producers that wait for capacity are admitted one after the other, each after the callbacks of the one before it
    /// that are called in place have returned. The capacity is not reserved: if several producers enqueue from other
    /// schedulers or from tasks, or one enqueues without waiting, the queue may be full again, and enqueuing fails with
    /// ``QueueError/full(maxWaitingCount:)``.
    public func capacityAvailable() -> Future<Void> { core.line.capacityAvailable() }
}

extension FutureQueue {
    /// Whether the queue is paused: operations are accepted, but none starts.
    public var isPaused: Bool { core.line.state.withLock { $0.isPaused } }

    /// Keeps operations from getting their turn until ``resume()``. Operations that have their turn run
    /// and continue, even if their closure is called after this method has returned.
    ///
    /// A queue to which no references are left resumes by itself, so that its operations complete.
    public func pause() { core.line.pause() }

    /// Lets operations start again after ``pause()``.
    public func resume() { core.line.resume() }
}

extension FutureQueue {
    /// The error of operations that are enqueued now, or nil while the queue accepts operations.
    public var closedError: (any Error)? { core.line.state.withLock { $0.closedError } }

    /// Rejects operations from now on. Operations that wait or run continue.
    ///
    /// A queue stays closed, and keeps the error of the first call.
    ///
    /// - Parameter error: The error that operations fail with that are enqueued from now on.
    /// - Returns: A future that succeeds when all operations have completed. An operation of this queue must not wait
    ///   for it.
    @discardableResult
    public func close(with error: any Error = QueueError.closed) -> Future<Void> {
        core.line.close(with: error)
        return drained()
    }

    /// Fails the operations that wait or run, even if they have other listeners.
    ///
    /// What an operation that runs waits for is cancelled. The operation keeps its turn until its closure has returned.
    /// All operations' futures have completed before a callback of any of them is called.
    ///
    /// - Parameters:
    ///   - error: The error that they fail with.
    ///   - shouldCloseQueue: Whether the queue also rejects operations from now on, with `error`. Otherwise it
    ///     continues with those that are enqueued later.
    ///   - shouldAbortRunning: Whether it fails operations that run. Otherwise they continue.
    public func abortQueuedOperations(
        with error: any Error = CancellationError(), shouldCloseQueue: Bool = false, shouldAbortRunning: Bool = true
    ) {
        core.line.abort(with: error, closing: shouldCloseQueue, onlyWaiting: !shouldAbortRunning)
    }
}
