// finally: operations of a key that end with a cleanup.

extension KeyedFutureQueue {
    /// Adds an operation of a key with a cleanup, which is the last step of its turn.
    ///
    /// However the operation ends, `cleanup` is called once, inside of its turn: with a value, an error, a cancel, an
    /// abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future completes
    /// after the cleanup. If it is cancelled, aborted or exceeds `runTimeout`, it completes immediately; then the
    /// cleanup starts when `operation` has returned and its future has completed, and the turn lasts until the cleanup
    /// is complete. The time of the cleanup counts for `runTimeout`, but nothing cancels the cleanup. If the cleanup
    /// fails, a success becomes that failure; an error stays what it is, and the cleanup's goes to
    /// `onCleanupFailure(_:)`.
    ///
    /// - Parameters:
    ///   - key: Its key: at most `maxConcurrentCountPerKey` operations with equal keys run concurrently.
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - runTimeout: The time after its start at which it fails with ``QueueError/runTimedOut(after:)``, including
    ///     that of the cleanup; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - lineNumber: The line in the error of a deadlock.
    ///   - operation: Called when its turn has come.
    ///   - cleanup: Gets the operation's result; the turn lasts until its future completes. A cancel or an abort
    ///     is `.failure(CancellationError())`, a time limit its ``QueueError``.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if the
    ///   queue is full or a time limit passes, and with the queue's error if that is closed or aborted.
    @discardableResult
    public func enqueue<T: Sendable>(
        for key: Key, priority: QueuePriority = .normal, waitTimeout: Duration? = nil, runTimeout: Duration? = nil,
        file: StaticString = #fileID,
        line lineNumber: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: lineNumber))
        let (scheduler, operation) = isolated(operation)
        return core.enqueue(
            on: scheduler, options, in: core.line.lane(of: key), operation,
            finally: CleanupStep(on: scheduler, cleanup))
    }

    /// Adds an operation of a key with a cleanup, which is the last step of its turn.
    ///
    /// However the operation ends, `cleanup` is called once, inside of its turn: with a value, an error, a cancel, an
    /// abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future completes
    /// after the cleanup. If it is cancelled, aborted or exceeds `runTimeout`, it completes immediately; then the
    /// cleanup starts when `operation` has returned and its future has completed, and the turn lasts until the cleanup
    /// is complete. The time of the cleanup counts for `runTimeout`, but nothing cancels the cleanup. If the cleanup
    /// fails, a success becomes that failure; an error stays what it is, and the cleanup's goes to
    /// `onCleanupFailure(_:)`. Both closures are called on `scheduler`.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which both closures are called. Its clock measures the time limits.
    ///   - key: Its key: at most `maxConcurrentCountPerKey` operations with equal keys run concurrently.
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - runTimeout: The time after its start at which it fails with ``QueueError/runTimedOut(after:)``, including
    ///     that of the cleanup; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - lineNumber: The line in the error of a deadlock.
    ///   - operation: Called when its turn has come.
    ///   - cleanup: Gets the operation's result; the turn lasts until its future completes. A cancel or an abort
    ///     is `.failure(CancellationError())`, a time limit its ``QueueError``.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if the
    ///   queue is full or a time limit passes, and with the queue's error if that is closed or aborted.
    @discardableResult
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, for key: Key, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        runTimeout: Duration? = nil,
        file: StaticString = #fileID, line lineNumber: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: lineNumber))
        return core.enqueue(
            on: scheduler, options, in: core.line.lane(of: key), operation,
            finally: CleanupStep(on: scheduler, cleanup))
    }
}
