// ResourcePool: closures of the wrong kind, which do not compile. See `ClosureReturnsAFuture`.

extension ResourcePool {
    /// Rejects closures that return no future.
    @available(
        *, unavailable, message: "return a future (not an optional one; without await), or use withResource { … }"
    )
    @discardableResult @_alwaysEmitIntoClient
    public func enqueue<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T
    ) -> Future<T> {
        fatalError()
    }

    /// Rejects closures that return no future, with a scheduler.
    @available(
        *, unavailable, message: "return a future (not an optional one; without await), or use withResource { … }"
    )
    @discardableResult @_alwaysEmitIntoClient
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Resource) async throws -> T
    ) -> Future<T> {
        fatalError()
    }

    /// Rejects closures that return a future.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @available(*, noasync, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @discardableResult @_alwaysEmitIntoClient
    public func withResource<T: FutureCarrying>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects closures that return a future, with a scheduler.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @available(*, noasync, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @discardableResult @_alwaysEmitIntoClient
    public func withResource<T: FutureCarrying>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Resource) async throws -> T
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }
}
