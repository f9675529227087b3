// ResourcePool: asynchronous operations with a cleanup.

extension ResourcePool {
    /// Calls the asynchronous `operation` and then `cleanup` with a resource of the pool.
    ///
    /// `cleanup` is called once for each operation that was called, before the resource is given back, even if the
    /// operation throws or is cancelled. The future completes after the cleanup. If it is cancelled, it completes at
    /// once; the cleanup then starts when the task of `operation` has completed, and the resource is kept until the
    /// cleanup has completed. Nothing cancels the cleanup, which runs in a task of its own. An error of the cleanup
    /// replaces a value, but not an error, of the operation; `onCleanupFailure(_:)` is called with it in any case, and
    /// the pool closes the resource instead of reusing it.
    ///
    /// - Parameters:
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The longest time that it may wait for a resource; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with a resource that no other operation uses, in a task that is created here and waits. It
    ///     runs on the closure's actor, or else on the concurrent pool.
    ///   - cleanup: Called with the resource and the operation's result. That is `.failure(CancellationError())` if the
    ///     operation was cancelled.
    /// - Returns: A future of what `operation` returns or throws, or of the cleanup's error. It fails with
    ///   ``QueueError/waitTimedOut(after:)`` if the time limit passes, with ``QueueError/full(maxWaitingCount:)``,
    ///   with the error of a closed pool, or with that of the closure that creates resources.
    @discardableResult @_alwaysEmitIntoClient
    public func withResource<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Resource, Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, nil, .init(file, line: line))
        return visit(on: nil, options, operation, finally: cleanup)
    }

    /// Calls the asynchronous `operation` and then `cleanup` with a resource of the pool.
    ///
    /// `cleanup` is called once for each operation that was called, before the resource is given back, even if the
    /// operation throws or is cancelled. The future completes after the cleanup. If it is cancelled, it completes at
    /// once; the cleanup then starts when the task of `operation` has completed, and the resource is kept until the
    /// cleanup has completed. Nothing cancels the cleanup, which runs in a task of its own. An error of the cleanup
    /// replaces a value, but not an error, of the operation; `onCleanupFailure(_:)` is called with it in any case, and
    /// the pool closes the resource instead of reusing it.
    ///
    /// - Parameters:
    ///   - scheduler: The executor of both tasks, whose clock measures the time limit.
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The longest time that it may wait for a resource; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with a resource that no other operation uses, in a task that is created here and waits.
    ///   - cleanup: Called with the resource and the operation's result. That is `.failure(CancellationError())` if the
    ///     operation was cancelled.
    /// - Returns: A future of what `operation` returns or throws, or of the cleanup's error. It fails with
    ///   ``QueueError/waitTimedOut(after:)`` if the time limit passes, with ``QueueError/full(maxWaitingCount:)``,
    ///   with the error of a closed pool, or with that of the closure that creates resources.
    @discardableResult @_alwaysEmitIntoClient
    public func withResource<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Resource) async throws -> T,
        finally cleanup: @escaping @Sendable (Resource, Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, nil, .init(file, line: line))
        return visit(on: scheduler, options, operation, finally: cleanup)
    }
}

extension ResourcePool {
    @usableFromInline
    func visit<T: Sendable>(
        on executor: Scheduler?, _ options: QueueOptions,
        _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T,
        finally cleanup: @escaping @Sendable @isolated(any) (Resource, Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        queued(on: executor, operation, finally: { try await cleanup($0, $1) }) { [pool] operation, step in
            pool.visit(on: .starting(for: executor), options, operation, finally: step)
        }
    }
}
