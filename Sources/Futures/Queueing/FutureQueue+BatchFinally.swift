// finally: batches that leave a clean resource behind.

extension FutureQueue {
    /// Adds an operation that gets a queue of its own with the same resource, and a cleanup, which is the last step of
    /// its turn.
    ///
    ///     database.enqueueBatch { statements in
    ///         statements.enqueue { $0.begin() }
    ///         statements.enqueue { $0.insert(order) }
    ///         return statements.enqueue { $0.commit() }
    ///     } finally: { db, result in
    ///         db.rollBackUnlessCommitted()
    ///     }
    ///
    /// However the operation ends, `cleanup` is called once, inside of its turn: with a value, an error, a cancel, an
    /// abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future completes
    /// after the cleanup. If it is cancelled or aborted, it completes immediately; then the cleanup starts when
    /// `operation` has returned, its future has completed and the batch's queue is empty, and the turn lasts until the
    /// cleanup is complete. Nothing cancels the cleanup. If the cleanup fails, a success becomes that failure; an error
    /// stays what it is, and the cleanup's goes to `onCleanupFailure(_:)`.
    ///
    /// - Parameters:
    ///   - maxConcurrentCount: The maximum number of the batch's operations that run concurrently.
    ///   - priority: The batch's precedence among the operations that wait.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the batch's queue when its turn has come.
    ///   - cleanup: Gets the resource and the operation's result; the turn lasts until its future completes. A
    ///     cancel or an abort is `.failure(CancellationError())`.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if the
    ///   queue is full, and with the queue's error if that is closed or aborted.
    @_disfavoredOverload
    @discardableResult
    public func enqueueBatch<T: Sendable>(
        maxConcurrentCount: Int = 1, priority: QueuePriority = .normal, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue) throws -> Future<T>,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Resource, Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions(priority, nil, nil, .init(file, line: line))
        let isIsolated = operation.isolation != nil
        let (inferred, operation) = isolated(operation)
        let scheduler = core.scheduler(inferred: inferred, isIsolated: isIsolated)
        return core.enqueueBatch(
            on: scheduler, maxConcurrentCount, options, operation, finally: CleanupStep(on: scheduler, cleanup))
    }

    /// Adds an operation that gets a queue of its own with the same resource, and a cleanup, which is the last step of
    /// its turn.
    ///
    /// However the operation ends, `cleanup` is called once, inside of its turn: with a value, an error, a cancel, an
    /// abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future completes
    /// after the cleanup. If it is cancelled or aborted, it completes immediately; then the cleanup starts when
    /// `operation` has returned, its future has completed and the batch's queue is empty, and the turn lasts until the
    /// cleanup is complete. Nothing cancels the cleanup. If the cleanup fails, a success becomes that failure; an error
    /// stays what it is, and the cleanup's goes to `onCleanupFailure(_:)`. Both closures are called on `scheduler`.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which both closures are called.
    ///   - maxConcurrentCount: The maximum number of the batch's operations that run concurrently.
    ///   - priority: The batch's precedence among the operations that wait.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the batch's queue when its turn has come.
    ///   - cleanup: Gets the resource and the operation's result; the turn lasts until its future completes. A
    ///     cancel or an abort is `.failure(CancellationError())`.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if the
    ///   queue is full, and with the queue's error if that is closed or aborted.
    @_disfavoredOverload
    @discardableResult
    public func enqueueBatch<T: Sendable>(
        on scheduler: Scheduler, maxConcurrentCount: Int = 1, priority: QueuePriority = .normal,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (FutureQueue) throws -> Future<T>,
        finally cleanup: @escaping @Sendable (Resource, Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions(priority, nil, nil, .init(file, line: line))
        return core.enqueueBatch(
            on: scheduler, maxConcurrentCount, options, operation, finally: CleanupStep(on: scheduler, cleanup))
    }
}

extension FutureQueue<Void> {
    /// Adds an operation that gets a queue of its own, and a cleanup, which is the last step of its turn.
    ///
    /// However the operation ends, `cleanup` is called once, inside of its turn: with a value, an error, a cancel, an
    /// abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future completes
    /// after the cleanup. If it is cancelled or aborted, it completes immediately; then the cleanup starts when
    /// `operation` has returned, its future has completed and the batch's queue is empty, and the turn lasts until the
    /// cleanup is complete. Nothing cancels the cleanup. If the cleanup fails, a success becomes that failure; an error
    /// stays what it is, and the cleanup's goes to `onCleanupFailure(_:)`.
    ///
    /// - Parameters:
    ///   - maxConcurrentCount: The maximum number of the batch's operations that run concurrently.
    ///   - priority: The batch's precedence among the operations that wait.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the batch's queue when its turn has come.
    ///   - cleanup: Gets the operation's result; the turn lasts until its future completes. A cancel or an abort
    ///     is `.failure(CancellationError())`.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if the
    ///   queue is full, and with the queue's error if that is closed or aborted.
    @discardableResult
    public func enqueueBatch<T: Sendable>(
        maxConcurrentCount: Int = 1, priority: QueuePriority = .normal, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue) throws -> Future<T>,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions(priority, nil, nil, .init(file, line: line))
        let isIsolated = operation.isolation != nil
        let (inferred, operation) = isolated(operation)
        let scheduler = core.scheduler(inferred: inferred, isIsolated: isIsolated)
        return core.enqueueBatch(
            on: scheduler, maxConcurrentCount, options, operation, finally: CleanupStep(on: scheduler, cleanup))
    }

    /// Adds an operation that gets a queue of its own, and a cleanup, which is the last step of its turn.
    ///
    /// However the operation ends, `cleanup` is called once, inside of its turn: with a value, an error, a cancel, an
    /// abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future completes
    /// after the cleanup. If it is cancelled or aborted, it completes immediately; then the cleanup starts when
    /// `operation` has returned, its future has completed and the batch's queue is empty, and the turn lasts until the
    /// cleanup is complete. Nothing cancels the cleanup. If the cleanup fails, a success becomes that failure; an error
    /// stays what it is, and the cleanup's goes to `onCleanupFailure(_:)`. Both closures are called on `scheduler`.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which both closures are called.
    ///   - maxConcurrentCount: The maximum number of the batch's operations that run concurrently.
    ///   - priority: The batch's precedence among the operations that wait.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the batch's queue when its turn has come.
    ///   - cleanup: Gets the operation's result; the turn lasts until its future completes. A cancel or an abort
    ///     is `.failure(CancellationError())`.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if the
    ///   queue is full, and with the queue's error if that is closed or aborted.
    @discardableResult
    public func enqueueBatch<T: Sendable>(
        on scheduler: Scheduler, maxConcurrentCount: Int = 1, priority: QueuePriority = .normal,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (FutureQueue) throws -> Future<T>,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions(priority, nil, nil, .init(file, line: line))
        return core.enqueueBatch(
            on: scheduler, maxConcurrentCount, options, operation, finally: CleanupStep(on: scheduler, cleanup))
    }
}
