// Closing, aborting, pausing a queue, and what it tells of itself.

extension FutureQueue {
    /// Whether no operation waits or runs.
    public var isEmpty: Bool { core.line.state.withLock { $0.isEmpty } }

    /// How many operations wait for their turn.
    public var waitingCount: Int { core.line.state.withLock { $0.waitingCount } }

    /// How many operations have their turn.
    public var runningCount: Int { core.line.state.withLock { $0.runningCount } }

    /// A future that succeeds once no operation waits or runs; at once, if that is so.
    ///
    /// An operation of this queue that waits for it fails with ``QueueError/deadlock(running:waiting:)``: it would wait
    /// for itself.
    public func drained() -> Future<Void> { core.line.emptiness(next: false) }

    /// A future that succeeds the next time that the last operation is over.
    public var onEmpty: Future<Void> { core.line.emptiness(next: true) }

    /// Returns a future that succeeds once the queue would accept an operation, or at once if it would now.
    ///
    /// That is the case while fewer than `maxWaitingCount` operations wait. If `maxWaitingCount` is zero, it is the
    /// case while an operation could start at once.
    ///
    /// Those who wait for room are let through one after the other, each once its predecessor's callbacks had the
    /// opportunity to enqueue. Who enqueues later, or without asking, may come first; then the queue is full again.
    public func room() -> Future<Void> { core.line.room() }
}

extension FutureQueue {
    /// Whether the queue lets no operation begin.
    public var isPaused: Bool { core.line.state.withLock { $0.isPaused } }

    /// Lets no operation begin until ``resume()``; those that run go on.
    ///
    /// A queue that nobody holds any more resumes by itself, so that nothing waits in it for ever.
    public func pause() { core.line.pause() }

    /// Lets operations begin again.
    public func resume() { core.line.resume() }
}

extension FutureQueue {
    /// What operations fail with that are enqueued now; nil as long as the queue accepts them.
    public var closedError: (any Error)? { core.line.state.withLock { $0.closedError } }

    /// Refuses operations from now on, with `error`; what waits or runs goes on.
    ///
    /// The future that is returned succeeds when all of that is over: an operation of this queue must not wait for it.
    /// A queue stays closed, and keeps its first error.
    @discardableResult
    public func close(with error: any Error = QueueError.closed) -> Future<Void> {
        core.line.close(with: error)
        return drained()
    }

    /// Fails all operations that wait, with `error`, and cancels those that run, also if others listen to them.
    ///
    /// One that runs keeps its place until its closure has returned. With `shouldCloseQueue`, the queue refuses
    /// operations from now on, with `error` too; else it goes on with what is enqueued from now on.
    ///
    /// All of their futures have completed before a callback of any of them is called.
    public func abortQueuedOperations(
        with error: any Error = CancellationError(), shouldCloseQueue: Bool = false
    ) {
        core.line.abort(with: error, closing: shouldCloseQueue)
    }
}
