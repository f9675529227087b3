// finally: operations that give back a clean resource.

extension ResourcePool {
    /// Calls `operation` with a resource, and `cleanup` as the last step before that is given back.
    ///
    ///     pool.enqueue { connection in connection.query("…") } finally: { connection, _ in connection.reset() }
    ///
    /// However the operation ends, `cleanup` is called once, before the resource is given back: with a value, an error,
    /// a cancel, an abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The
    /// future completes after the cleanup. If it is cancelled, it completes immediately; then the cleanup starts when
    /// `operation` has returned and its future has completed, and the resource is kept until the cleanup is complete.
    /// Nothing cancels the cleanup. If the cleanup fails, a success becomes that failure; an error stays what it is,
    /// and the cleanup's goes to `onCleanupFailure(_:)`. In any case the pool closes the resource then, instead of
    /// handing it out again.
    ///
    /// - Parameters:
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with a resource that is its own until the cleanup is complete.
    ///   - cleanup: Gets the resource and the operation's result; the turn lasts until its future completes. A
    ///     cancel is `.failure(CancellationError())`.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if too
    ///   many operations wait or the time limit passes, and with the pool's error if that is closed.
    @discardableResult
    public func enqueue<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) throws -> Future<T>,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Resource, Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, nil, .init(file, line: line))
        let (scheduler, operation) = isolated(operation)
        return pool.visit(on: scheduler, options, operation, finally: CleanupStep(on: scheduler, cleanup))
    }

    /// Calls `operation` with a resource, and `cleanup` as the last step before that is given back.
    ///
    /// However the operation ends, `cleanup` is called once, before the resource is given back: with a value, an error,
    /// a cancel, an abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The
    /// future completes after the cleanup. If it is cancelled, it completes immediately; then the cleanup starts when
    /// `operation` has returned and its future has completed, and the resource is kept until the cleanup is complete.
    /// Nothing cancels the cleanup. If the cleanup fails, a success becomes that failure; an error stays what it is,
    /// and the cleanup's goes to `onCleanupFailure(_:)`. In any case the pool closes the resource then, instead of
    /// handing it out again. Both closures are called on `scheduler`.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which both closures are called. Its clock measures the time limits.
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with a resource that is its own until the cleanup is complete.
    ///   - cleanup: Gets the resource and the operation's result; the turn lasts until its future completes. A
    ///     cancel is `.failure(CancellationError())`.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if too
    ///   many operations wait or the time limit passes, and with the pool's error if that is closed.
    @discardableResult
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>,
        finally cleanup: @escaping @Sendable (Resource, Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, nil, .init(file, line: line))
        return pool.visit(on: scheduler, options, operation, finally: CleanupStep(on: scheduler, cleanup))
    }
}
