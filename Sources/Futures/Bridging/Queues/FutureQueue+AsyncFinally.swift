// FutureQueue: asynchronous operations with a cleanup.

extension FutureQueue {
    /// Enqueues an asynchronous operation with a cleanup, which is the last step of its turn.
    ///
    ///     database.run { db in
    ///         try await db.begin()
    ///         try await db.insert(order)
    ///         try await db.commit()
    ///     } finally: { db, result in
    ///         try await db.rollBackUnlessCommitted()
    ///     }
    ///
    /// `cleanup` is called once for each operation that was called, before its turn ends, even if the operation throws
    /// or is cancelled, aborted or exceeds `runTimeout`. The future completes after the cleanup. If it is cancelled,
    /// aborted or exceeds `runTimeout`, it completes immediately; the cleanup then starts when the task of `operation`
    /// has completed, and the turn lasts until the cleanup has completed. The time of the cleanup counts for
    /// `runTimeout`. Nothing cancels the cleanup, which runs in a task of its own. An error of the cleanup replaces
    /// a value, but not an error, of the operation; `onCleanupFailure(_:)` is called with it in any case.
    ///
    /// - Parameters:
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The longest time that it may wait for its turn; nil for no limit.
    ///   - runTimeout: The longest time that it may run, including its cleanup; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the resource when its turn has come, in a task that is created here and waits. It
    ///     runs on the closure's actor, or else with the queue's `executeOn:` scheduler as its executor, or else on the
    ///     concurrent pool.
    ///   - cleanup: Called with the resource and the operation's result. That is `.failure(CancellationError())` if the
    ///     operation was cancelled, and the error of the abort or of the time limit if one of them ended it.
    /// - Returns: A future of what `operation` returns or throws, or of the cleanup's error. It fails with a
    ///   ``QueueError`` if the queue is full or a time limit passes, and with the queue's error if that is closed or
    ///   aborted.
    @_disfavoredOverload
    @discardableResult @_alwaysEmitIntoClient
    public func run<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, runTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Resource, Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: line))
        let executor = operation.isolation == nil ? core.executeOn : nil
        return core.runTask(on: executor, options, operation, finally: cleanup)
    }

    /// Enqueues an asynchronous operation with a cleanup, which is the last step of its turn.
    ///
    /// `cleanup` is called once for each operation that was called, before its turn ends, even if the operation throws
    /// or is cancelled, aborted or exceeds `runTimeout`. The future completes after the cleanup. If it is cancelled,
    /// aborted or exceeds `runTimeout`, it completes immediately; the cleanup then starts when the task of `operation`
    /// has completed, and the turn lasts until the cleanup has completed. The time of the cleanup counts for
    /// `runTimeout`. Nothing cancels the cleanup, which runs in a task of its own. An error of the cleanup replaces
    /// a value, but not an error, of the operation; `onCleanupFailure(_:)` is called with it in any case.
    ///
    /// - Parameters:
    ///   - scheduler: The executor of both tasks, whose clock measures the time limits.
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The longest time that it may wait for its turn; nil for no limit.
    ///   - runTimeout: The longest time that it may run, including its cleanup; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the resource when its turn has come, in a task that is created here and waits.
    ///   - cleanup: Called with the resource and the operation's result. That is `.failure(CancellationError())` if the
    ///     operation was cancelled, and the error of the abort or of the time limit if one of them ended it.
    /// - Returns: A future of what `operation` returns or throws, or of the cleanup's error. It fails with a
    ///   ``QueueError`` if the queue is full or a time limit passes, and with the queue's error if that is closed or
    ///   aborted.
    @_disfavoredOverload
    @discardableResult @_alwaysEmitIntoClient
    public func run<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        runTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Resource) async throws -> T,
        finally cleanup: @escaping @Sendable (Resource, Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: line))
        return core.runTask(on: scheduler, options, operation, finally: cleanup)
    }
}

extension FutureQueue<Void> {
    /// Enqueues an asynchronous operation with a cleanup, which is the last step of its turn.
    ///
    /// `cleanup` is called once for each operation that was called, before its turn ends, even if the operation throws
    /// or is cancelled, aborted or exceeds `runTimeout`. The future completes after the cleanup. If it is cancelled,
    /// aborted or exceeds `runTimeout`, it completes immediately; the cleanup then starts when the task of `operation`
    /// has completed, and the turn lasts until the cleanup has completed. The time of the cleanup counts for
    /// `runTimeout`. Nothing cancels the cleanup, which runs in a task of its own. An error of the cleanup replaces
    /// a value, but not an error, of the operation; `onCleanupFailure(_:)` is called with it in any case.
    ///
    /// - Parameters:
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The longest time that it may wait for its turn; nil for no limit.
    ///   - runTimeout: The longest time that it may run, including its cleanup; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called when its turn has come, in a task that is created here and waits. It runs on the closure's
    ///     actor, or else with the queue's `executeOn:` scheduler as its executor, or else on the concurrent pool.
    ///   - cleanup: Called with the operation's result. That is `.failure(CancellationError())` if the operation was
    ///     cancelled, and the error of the abort or of the time limit if one of them ended it.
    /// - Returns: A future of what `operation` returns or throws, or of the cleanup's error. It fails with a
    ///   ``QueueError`` if the queue is full or a time limit passes, and with the queue's error if that is closed or
    ///   aborted.
    @discardableResult @_alwaysEmitIntoClient
    public func run<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, runTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: line))
        let executor = operation.isolation == nil ? core.executeOn : nil
        return core.runTask(on: executor, options) {
            try await operation()
        } finally: { _, result in
            try await cleanup(result)
        }
    }

    /// Enqueues an asynchronous operation with a cleanup, which is the last step of its turn.
    ///
    /// `cleanup` is called once for each operation that was called, before its turn ends, even if the operation throws
    /// or is cancelled, aborted or exceeds `runTimeout`. The future completes after the cleanup. If it is cancelled,
    /// aborted or exceeds `runTimeout`, it completes immediately; the cleanup then starts when the task of `operation`
    /// has completed, and the turn lasts until the cleanup has completed. The time of the cleanup counts for
    /// `runTimeout`. Nothing cancels the cleanup, which runs in a task of its own. An error of the cleanup replaces
    /// a value, but not an error, of the operation; `onCleanupFailure(_:)` is called with it in any case.
    ///
    /// - Parameters:
    ///   - scheduler: The executor of both tasks, whose clock measures the time limits.
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The longest time that it may wait for its turn; nil for no limit.
    ///   - runTimeout: The longest time that it may run, including its cleanup; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called when its turn has come, in a task that is created here and waits.
    ///   - cleanup: Called with the operation's result. That is `.failure(CancellationError())` if the operation was
    ///     cancelled, and the error of the abort or of the time limit if one of them ended it.
    /// - Returns: A future of what `operation` returns or throws, or of the cleanup's error. It fails with a
    ///   ``QueueError`` if the queue is full or a time limit passes, and with the queue's error if that is closed or
    ///   aborted.
    @discardableResult @_alwaysEmitIntoClient
    public func run<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        runTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: line))
        return core.runTask(on: scheduler, options) {
            try await operation()
        } finally: { _, result in
            try await cleanup(result)
        }
    }
}

extension QueueCore {
    /// Enqueues an operation and a cleanup that run in tasks.
    @usableFromInline
    func runTask<T: Sendable>(
        on executor: Scheduler?, _ options: QueueOptions,
        _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T,
        finally cleanup: @escaping @Sendable @isolated(any) (Resource, Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        queued(on: executor, operation, finally: { try await cleanup($0, $1) }) { [self] operation, step in
            enqueue(on: .starting(for: executor), options, operation, finally: step)
        }
    }
}
