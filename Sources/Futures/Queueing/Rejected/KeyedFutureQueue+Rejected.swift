// KeyedFutureQueue: closures of the wrong kind, which do not compile. See `ClosureReturnsAFuture`.

extension KeyedFutureQueue {
    /// Rejects closures that return no future.
    @available(
        *, unavailable, message: "return a future (not an optional one; without await), or use run { … }, runSync { … }"
    )
    @discardableResult @_alwaysEmitIntoClient
    public func enqueue<T: Sendable>(
        for key: Key, priority: QueuePriority = .normal, waitTimeout: Duration? = nil, runTimeout: Duration? = nil,
        file: StaticString = #fileID,
        line lineNumber: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        fatalError()
    }

    /// Rejects closures that return no future, with a scheduler.
    @available(
        *, unavailable, message: "return a future (not an optional one; without await), or use run { … }, runSync { … }"
    )
    @discardableResult @_alwaysEmitIntoClient
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, for key: Key, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        runTimeout: Duration? = nil,
        file: StaticString = #fileID, line lineNumber: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T
    ) -> Future<T> {
        fatalError()
    }

    /// Rejects closures that return a future.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @available(*, noasync, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @discardableResult @_alwaysEmitIntoClient
    public func runSync<T: Sendable>(
        for key: Key, priority: QueuePriority = .normal, waitTimeout: Duration? = nil, file: StaticString = #fileID,
        line lineNumber: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> any FutureCarrying<T>
    ) -> Future<Future<T>> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects functions by their name that return a future.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @available(*, noasync, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @discardableResult @_alwaysEmitIntoClient
    public func runSync<T: Sendable>(
        for key: Key, priority: QueuePriority = .normal, waitTimeout: Duration? = nil, file: StaticString = #fileID,
        line lineNumber: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>
    ) -> Future<Future<T>> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects closures that return a future, with a scheduler.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @available(*, noasync, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @discardableResult @_alwaysEmitIntoClient
    public func runSync<T: Sendable>(
        on scheduler: Scheduler, for key: Key, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        file: StaticString = #fileID,
        line lineNumber: UInt = #line,
        _ operation: @escaping @Sendable () throws -> any FutureCarrying<T>
    ) -> Future<Future<T>> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects functions by their name that return a future, with a scheduler.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @available(*, noasync, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @discardableResult @_alwaysEmitIntoClient
    public func runSync<T: Sendable>(
        on scheduler: Scheduler, for key: Key, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        file: StaticString = #fileID,
        line lineNumber: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<Future<T>> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects closures that return a future.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @available(*, noasync, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @discardableResult @_alwaysEmitIntoClient
    public func run<T: FutureCarrying>(
        for key: Key, priority: QueuePriority = .normal, waitTimeout: Duration? = nil, runTimeout: Duration? = nil,
        file: StaticString = #fileID,
        line lineNumber: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects closures that return a future, with a scheduler.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @available(*, noasync, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @discardableResult @_alwaysEmitIntoClient
    public func run<T: FutureCarrying>(
        on scheduler: Scheduler, for key: Key, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        runTimeout: Duration? = nil,
        file: StaticString = #fileID, line lineNumber: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }
}
