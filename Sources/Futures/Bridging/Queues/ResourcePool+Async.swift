// ResourcePool: asynchronous operations.

extension ResourcePool {
    /// Calls the asynchronous `operation` with a resource of the pool.
    ///
    /// The operation runs in a task that is created here, with the caller's priority and task-local values, and waits
    /// for the resource. Cancelling the future completes it immediately and cancels the task; the resource is given
    /// back when the task has completed, so a task that ignores the cancellation keeps it. An operation that is
    /// cancelled while it waits is never called.
    ///
    /// - Parameters:
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The longest time that it may wait for a resource; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with a resource that no other operation uses, which it has until it has returned. It runs
    ///     on the closure's actor, or else on the concurrent pool.
    /// - Returns: A future of what `operation` returns or throws. It fails with ``QueueError/waitTimedOut(after:)`` if
    ///   the time limit passes, with ``QueueError/full(maxWaitingCount:)``, with the error of a closed pool, or with
    ///   that of the closure that creates resources.
    @discardableResult @_alwaysEmitIntoClient
    public func withResource<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T
    ) -> Future<T> {
        visit(on: nil, QueueOptions(priority, waitTimeout, nil, .init(file, line: line)), operation)
    }

    /// Calls the asynchronous `operation` with a resource of the pool.
    ///
    /// The operation runs in a task that is created here, with the caller's priority and task-local values, and waits
    /// for the resource. Cancelling the future completes it immediately and cancels the task; the resource is given
    /// back when the task has completed, so a task that ignores the cancellation keeps it. An operation that is
    /// cancelled while it waits is never called.
    ///
    /// - Parameters:
    ///   - scheduler: The task's executor, whose clock measures the time limit.
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The longest time that it may wait for a resource; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with a resource that no other operation uses, which it has until it has returned.
    /// - Returns: A future of what `operation` returns or throws. It fails with ``QueueError/waitTimedOut(after:)`` if
    ///   the time limit passes, with ``QueueError/full(maxWaitingCount:)``, with the error of a closed pool, or with
    ///   that of the closure that creates resources.
    @discardableResult @_alwaysEmitIntoClient
    public func withResource<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Resource) async throws -> T
    ) -> Future<T> {
        visit(on: scheduler, QueueOptions(priority, waitTimeout, nil, .init(file, line: line)), operation)
    }

    @usableFromInline
    func visit<T: Sendable>(
        on executor: Scheduler?, _ options: QueueOptions,
        _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T
    ) -> Future<T> {
        queued(on: executor, operation) { [pool] operation in
            pool.visitWithTurn(on: .starting(for: executor), options, operation)
        }
    }
}
