// finally: asynchronous operations of a key that end with a cleanup.

extension KeyedFutureQueue {
    /// Adds an asynchronous operation of a key with a cleanup, which is the last step of its turn.
    ///
    /// However the operation ends, `cleanup` is called once, inside of its turn: with a value, an error, a cancel, an
    /// abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future completes
    /// after the cleanup. If it is cancelled, aborted or exceeds `runningAtMost`, it completes at once; then the
    /// cleanup starts when the task of `operation` has returned, and the turn lasts until the cleanup is complete. The
    /// time of the cleanup counts for `runningAtMost`, but nothing cancels the cleanup, which runs in a task of its
    /// own. If the cleanup fails, a success becomes that failure; an error stays what it is, and the cleanup's goes to
    /// `onCleanupFailure(_:)`.
    ///
    /// - Parameters:
    ///   - operation: Called when its turn has come, in a task that starts here and waits.
    ///   - cleanup: Gets the operation's result. A cancel or an abort is `.failure(CancellationError())`, a time
    ///     limit its ``QueueError``.
    @discardableResult
    public func run<T: Sendable>(
        for key: Key, waitingAtMost: Duration? = nil, runningAtMost: Duration? = nil, file: StaticString = #fileID,
        line lineNumber: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let terms = Terms(.normal, waitingAtMost, runningAtMost, .init(file, line: lineNumber))
        return runTask(for: key, on: nil, terms, operation, finally: cleanup)
    }

    /// Adds an asynchronous operation of a key with a cleanup, which is the last step of its turn.
    ///
    /// However the operation ends, `cleanup` is called once, inside of its turn: with a value, an error, a cancel, an
    /// abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future completes
    /// after the cleanup. If it is cancelled, aborted or exceeds `runningAtMost`, it completes at once; then the
    /// cleanup starts when the task of `operation` has returned, and the turn lasts until the cleanup is complete. The
    /// time of the cleanup counts for `runningAtMost`, but nothing cancels the cleanup, which runs in a task of its
    /// own. If the cleanup fails, a success becomes that failure; an error stays what it is, and the cleanup's goes to
    /// `onCleanupFailure(_:)`. `scheduler` is the executor of both tasks.
    ///
    /// - Parameters:
    ///   - operation: Called when its turn has come, in a task that starts here and waits.
    ///   - cleanup: Gets the operation's result. A cancel or an abort is `.failure(CancellationError())`, a time
    ///     limit its ``QueueError``.
    @discardableResult
    public func run<T: Sendable>(
        on scheduler: Scheduler, for key: Key, waitingAtMost: Duration? = nil, runningAtMost: Duration? = nil,
        file: StaticString = #fileID, line lineNumber: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let terms = Terms(.normal, waitingAtMost, runningAtMost, .init(file, line: lineNumber))
        return runTask(for: key, on: scheduler, terms, operation, finally: cleanup)
    }
}

extension KeyedFutureQueue {
    private func runTask<T: Sendable>(
        for key: Key, on executor: Scheduler?, _ terms: Terms,
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T,
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        queued(on: executor) { (_: Void) in
            try await operation()
        } finally: { (_: Void, result) in
            try await cleanup(result)
        } enqueue: { [line] operation, step in
            line.enqueue(for: key, on: executor ?? .immediate, terms, { try operation(()) }, finally: step)
        }
    }
}
