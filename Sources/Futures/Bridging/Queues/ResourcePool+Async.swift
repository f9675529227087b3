// ResourcePool: resources that asynchronous closures create, check and close.

extension ResourcePool {
    /// Creates an empty pool whose resources are created, checked and closed by asynchronous closures.
    ///
    ///     let pool = ResourcePool(maxCount: 10) {
    ///         try await Connection(to: server)
    ///     } close: { connection in
    ///         await connection.close()
    ///     }
    ///
    /// Each closure runs in a task, which is cancelled where the future of a closure of
    /// ``init(label:maxCount:callTimeout:idleTimeout:maxWaitingCount:on:file:line:create:check:close:)`` is. That has the
    /// parameters. A resource that `create` returns after a cancel is closed.
    @_disfavoredOverload @_alwaysEmitIntoClient
    public convenience init(
        label: String? = nil, maxCount: Int, callTimeout: Duration = .seconds(30), idleTimeout: Duration? = nil,
        maxWaitingCount: Int = .max, on scheduler: Scheduler = .background,
        file: StaticString = #fileID, line: UInt = #line,
        create: @escaping @Sendable () async throws -> Resource,
        check: (@Sendable (Resource) async throws -> Bool)? = nil,
        close: @escaping @Sendable (Resource) async throws -> Void = { _ in }
    ) {
        self.init(
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
