// ResourcePool: asynchronous operations.

extension ResourcePool {
    /// Returns an empty pool whose resources are created, checked and closed by asynchronous closures.
    ///
    ///     let pool = ResourcePool.running(maxCount: 10) {
    ///         try await Connection(to: server)
    ///     } close: { connection in
    ///         await connection.close()
    ///     }
    ///
    /// The closures run in tasks. A task of `create` or `check` is cancelled when an operation is cancelled, or has waited
    /// for too long, and no other one waits for a resource; and when the pool is closed. A resource that `create` returns
    /// after that is closed.
    ///
    /// - Parameters:
    ///   - label: What messages call the pool; nil for the place where it is made.
    ///   - maxCount: The maximum number of resources. A resource counts until `close` has returned.
    ///   - callTimeout: The time limit of each call of `create`, `check` and `close`. When it has passed, the task is
    ///     cancelled and counts as failed.
    ///   - idleTimeout: How long an unused resource is kept; it is closed after this time to twice this time. Nil for
    ///     no limit.
    ///   - maxWaitingCount: The maximum number of operations that wait; beyond it, enqueuing fails with
    ///     ``QueueError/full(maxWaitingCount:)``.
    ///   - scheduler: Its clock measures `callTimeout` and `idleTimeout`.
    ///   - file: The file named by the trap if a precondition fails.
    ///   - line: The line named by the trap if a precondition fails.
    ///   - create: Creates a resource. If it throws, and the pool has no other resource, in use, checked or being
    ///     created, the first operation that waits fails with its error.
    ///   - check: Called before a resource is reused. If it throws or returns false, that resource is closed and another
    ///     one is used.
    ///   - close: Called with each resource that is not needed any more: when it was idle for too long, when its check
    ///     or its cleanup failed, and when the pool is closed or released. Its errors are ignored.
    /// - Precondition: `maxCount` is at least 1, and `maxWaitingCount` is not negative.
    @_alwaysEmitIntoClient
    public static func running(
        label: String? = nil, maxCount: Int, callTimeout: Duration = .seconds(30), idleTimeout: Duration? = nil,
        maxWaitingCount: Int = .max, on scheduler: Scheduler = .background,
        file: StaticString = #fileID, line: UInt = #line,
        create: @escaping @Sendable () async throws -> Resource,
        check: (@Sendable (Resource) async throws -> Bool)? = nil,
        close: @escaping @Sendable (Resource) async throws -> Void = { _ in }
    ) -> ResourcePool {
        ResourcePool(
            label: label, maxCount: maxCount, callTimeout: callTimeout, idleTimeout: idleTimeout,
            maxWaitingCount: maxWaitingCount, on: scheduler, file: file, line: line,
            create: {
                Future(task: {
                    let resource = try await create()
                    if Task.isCancelled { try await close(resource) }
                    return resource
                })
            },
            check: check.map { check in { @Sendable resource in Future(task: { try await check(resource) }) } },
            close: { resource in Future(task: { try await close(resource) }) })
    }

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
