// FutureQueue: asynchronous batches with a cleanup.

extension FutureQueue {
    /// Enqueues an asynchronous operation that gets a queue of its own with the same resource, and a cleanup, which is
    /// the last step of its turn.
    ///
    /// `cleanup` is called once for each operation that was called, before its turn ends, even if the operation throws
    /// or is cancelled or aborted. The future completes after the cleanup. If it is cancelled or aborted, it completes
    /// immediately; the cleanup then starts when the task of `operation` has completed and the batch's queue is empty,
    /// and the turn lasts until the cleanup has completed. Nothing cancels the cleanup, which runs in a task of its
    /// own. An error of the cleanup replaces a value, but not an error, of the operation; `onCleanupFailure(_:)` is
    /// called with it in any case.
    ///
    /// - Parameters:
    ///   - maxConcurrentCount: How many operations of the batch's queue run concurrently, at most.
    ///   - priority: Its precedence among the operations that wait.
    ///   - file: The file named by the trap if `maxConcurrentCount` is less than 1, and in the error of a deadlock.
    ///   - line: The line named by the trap if `maxConcurrentCount` is less than 1, and in the error of a deadlock.
    ///   - operation: Called with the batch's queue when its turn has come, in a task that is created here and waits.
    ///     It runs on the closure's actor, or else with the queue's `executeOn:` scheduler as its executor, or else on
    ///     the concurrent pool.
    ///   - cleanup: Called with the resource and the operation's result. That is `.failure(CancellationError())` if the
    ///     operation was cancelled, and the error of the abort if it was aborted.
    /// - Returns: A future of what `operation` returns or throws, or of the cleanup's error. It fails with a
    ///   ``QueueError`` if the queue is full, and with the queue's error if that is closed or aborted.
    /// - Precondition: `maxConcurrentCount` is at least 1.
    @_disfavoredOverload
    @discardableResult @_alwaysEmitIntoClient
    public func runBatch<T: Sendable>(
        maxConcurrentCount: Int = 1, priority: QueuePriority = .normal, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue) async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Resource, Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let options = QueueOptions(priority, nil, nil, .init(file, line: line))
        let executor = operation.isolation == nil ? core.executeOn : nil
        return core.runBatchTask(on: executor, maxConcurrentCount, options, operation, finally: cleanup)
    }

    /// Enqueues an asynchronous operation that gets a queue of its own with the same resource, and a cleanup, which is
    /// the last step of its turn.
    ///
    /// `cleanup` is called once for each operation that was called, before its turn ends, even if the operation throws
    /// or is cancelled or aborted. The future completes after the cleanup. If it is cancelled or aborted, it completes
    /// immediately; the cleanup then starts when the task of `operation` has completed and the batch's queue is empty,
    /// and the turn lasts until the cleanup has completed. Nothing cancels the cleanup, which runs in a task of its
    /// own. An error of the cleanup replaces a value, but not an error, of the operation; `onCleanupFailure(_:)` is
    /// called with it in any case.
    ///
    /// - Parameters:
    ///   - scheduler: The executor of both tasks.
    ///   - maxConcurrentCount: How many operations of the batch's queue run concurrently, at most.
    ///   - priority: Its precedence among the operations that wait.
    ///   - file: The file named by the trap if `maxConcurrentCount` is less than 1, and in the error of a deadlock.
    ///   - line: The line named by the trap if `maxConcurrentCount` is less than 1, and in the error of a deadlock.
    ///   - operation: Called with the batch's queue when its turn has come, in a task that is created here and waits.
    ///   - cleanup: Called with the resource and the operation's result. That is `.failure(CancellationError())` if the
    ///     operation was cancelled, and the error of the abort if it was aborted.
    /// - Returns: A future of what `operation` returns or throws, or of the cleanup's error. It fails with a
    ///   ``QueueError`` if the queue is full, and with the queue's error if that is closed or aborted.
    /// - Precondition: `maxConcurrentCount` is at least 1.
    @_disfavoredOverload
    @discardableResult @_alwaysEmitIntoClient
    public func runBatch<T: Sendable>(
        on scheduler: Scheduler, maxConcurrentCount: Int = 1, priority: QueuePriority = .normal,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (FutureQueue) async throws -> T,
        finally cleanup: @escaping @Sendable (Resource, Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let options = QueueOptions(priority, nil, nil, .init(file, line: line))
        return core.runBatchTask(on: scheduler, maxConcurrentCount, options, operation, finally: cleanup)
    }
}

extension FutureQueue<Void> {
    /// Adds an asynchronous operation that gets a queue of its own, and a cleanup, which is the last step of its turn.
    ///
    /// However the operation ends, `cleanup` is called once, inside of its turn: with a value, an error, a cancel, an
    /// abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future completes
    /// after the cleanup. If it is cancelled or aborted, it completes immediately; then the cleanup starts when the
    /// task of `operation` has returned and the batch's queue is empty, and the turn lasts until the cleanup is
    /// complete. Nothing cancels the cleanup, which runs in a task of its own. If the cleanup fails, a success becomes
    /// that failure; an error stays what it is, and the cleanup's goes to `onCleanupFailure(_:)`.
    ///
    /// - Parameters:
    ///   - maxConcurrentCount: The maximum number of the batch's operations that run concurrently.
    ///   - priority: The batch's precedence among the operations that wait.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the batch's queue when its turn has come, in a task that starts here and waits.
    ///   - cleanup: Gets the operation's result. A cancel or an abort is `.failure(CancellationError())`.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if the
    ///   queue is full, and with the queue's error if that is closed or aborted.
    @discardableResult @_alwaysEmitIntoClient
    public func runBatch<T: Sendable>(
        maxConcurrentCount: Int = 1, priority: QueuePriority = .normal, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue) async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let options = QueueOptions(priority, nil, nil, .init(file, line: line))
        let executor = operation.isolation == nil ? core.executeOn : nil
        return core.runBatchTask(on: executor, maxConcurrentCount, options, operation) { _, result in
            try await cleanup(result)
        }
    }

    /// Adds an asynchronous operation that gets a queue of its own, and a cleanup, which is the last step of its turn.
    ///
    /// However the operation ends, `cleanup` is called once, inside of its turn: with a value, an error, a cancel, an
    /// abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future completes
    /// after the cleanup. If it is cancelled or aborted, it completes immediately; then the cleanup starts when the
    /// task of `operation` has returned and the batch's queue is empty, and the turn lasts until the cleanup is
    /// complete. Nothing cancels the cleanup, which runs in a task of its own. If the cleanup fails, a success becomes
    /// that failure; an error stays what it is, and the cleanup's goes to `onCleanupFailure(_:)`. `scheduler` is the
    /// executor of both tasks.
    ///
    /// - Parameters:
    ///   - scheduler: The executor of the tasks of both closures.
    ///   - maxConcurrentCount: The maximum number of the batch's operations that run concurrently.
    ///   - priority: The batch's precedence among the operations that wait.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the batch's queue when its turn has come, in a task that starts here and waits.
    ///   - cleanup: Gets the operation's result. A cancel or an abort is `.failure(CancellationError())`.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if the
    ///   queue is full, and with the queue's error if that is closed or aborted.
    @discardableResult @_alwaysEmitIntoClient
    public func runBatch<T: Sendable>(
        on scheduler: Scheduler, maxConcurrentCount: Int = 1, priority: QueuePriority = .normal,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (FutureQueue) async throws -> T,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let options = QueueOptions(priority, nil, nil, .init(file, line: line))
        return core.runBatchTask(on: scheduler, maxConcurrentCount, options, operation) { _, result in
            try await cleanup(result)
        }
    }
}

extension QueueCore {
    @usableFromInline
    func runBatchTask<T: Sendable>(
        on executor: Scheduler?, _ maxConcurrentCount: Int, _ options: QueueOptions,
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue<Resource>) async throws -> T,
        finally cleanup: @escaping @Sendable @isolated(any) (Resource, Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        queued(on: executor, operation, finally: { try await cleanup($0, $1) }) { [self] operation, step in
            enqueueBatch(on: .starting(for: executor), maxConcurrentCount, options, operation, finally: step)
        }
    }
}
