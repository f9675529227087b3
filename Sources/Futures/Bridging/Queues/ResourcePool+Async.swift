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
}
