// finally: operations that leave a clean resource behind.

extension FutureQueue {
    /// Adds an operation with a cleanup, which is the last step of its turn.
    ///
    ///     database.enqueue { db in
    ///         db.begin().flatMap { db.insert(order) }.flatMap { db.commit() }
    ///     } finally: { db, result in
    ///         db.rollBackUnlessCommitted()                        // Future<Void>
    ///     }
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
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - runTimeout: The time after its start at which it fails with ``QueueError/runTimedOut(after:)``, including
    ///     that of the cleanup; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the resource when its turn has come.
    ///   - cleanup: Gets the resource and the operation's result; the turn lasts until its future completes. A
    ///     cancel or an abort is `.failure(CancellationError())`, a time limit its ``QueueError``.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if the
    ///   queue is full or a time limit passes, and with the queue's error if that is closed or aborted.
    @_disfavoredOverload
    @discardableResult
    public func enqueue<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, runTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) throws -> Future<T>,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Resource, Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: line))
        let isIsolated = operation.isolation != nil
        let (inferred, operation) = isolated(operation)
        let scheduler = core.scheduler(inferred: inferred, isIsolated: isIsolated)
        return core.enqueue(on: scheduler, options, operation, finally: CleanupStep(on: scheduler, cleanup))
    }

    /// Adds an operation with a cleanup, which is the last step of its turn.
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
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - runTimeout: The time after its start at which it fails with ``QueueError/runTimedOut(after:)``, including
    ///     that of the cleanup; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the resource when its turn has come.
    ///   - cleanup: Gets the resource and the operation's result; the turn lasts until its future completes. A
    ///     cancel or an abort is `.failure(CancellationError())`, a time limit its ``QueueError``.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if the
    ///   queue is full or a time limit passes, and with the queue's error if that is closed or aborted.
    @_disfavoredOverload
    @discardableResult
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        runTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>,
        finally cleanup: @escaping @Sendable (Resource, Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: line))
        return core.enqueue(on: scheduler, options, operation, finally: CleanupStep(on: scheduler, cleanup))
    }
}

extension FutureQueue<Void> {
    /// Adds an operation with a cleanup, which is the last step of its turn.
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
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - runTimeout: The time after its start at which it fails with ``QueueError/runTimedOut(after:)``, including
    ///     that of the cleanup; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called when its turn has come.
    ///   - cleanup: Gets the operation's result; the turn lasts until its future completes. A cancel or an abort
    ///     is `.failure(CancellationError())`, a time limit its ``QueueError``.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if the
    ///   queue is full or a time limit passes, and with the queue's error if that is closed or aborted.
    @discardableResult
    public func enqueue<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, runTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: line))
        let isIsolated = operation.isolation != nil
        let (inferred, operation) = isolated(operation)
        let scheduler = core.scheduler(inferred: inferred, isIsolated: isIsolated)
        let step = CleanupStep(on: scheduler, cleanup)
        return core.enqueue(on: scheduler, options, operation, finally: step)
    }

    /// Adds an operation with a cleanup, which is the last step of its turn.
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
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - runTimeout: The time after its start at which it fails with ``QueueError/runTimedOut(after:)``, including
    ///     that of the cleanup; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called when its turn has come.
    ///   - cleanup: Gets the operation's result; the turn lasts until its future completes. A cancel or an abort
    ///     is `.failure(CancellationError())`, a time limit its ``QueueError``.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if the
    ///   queue is full or a time limit passes, and with the queue's error if that is closed or aborted.
    @discardableResult
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        runTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: line))
        let step = CleanupStep(on: scheduler, cleanup)
        return core.enqueue(on: scheduler, options, operation, finally: step)
    }
}
