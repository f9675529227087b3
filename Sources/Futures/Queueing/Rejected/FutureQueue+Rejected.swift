// FutureQueue: closures of the wrong kind, which do not compile. See `ClosureReturnsAFuture`.

extension FutureQueue {
    /// Rejects closures that return no future.
    @available(
        *, unavailable, message: "return a future (not an optional one; without await), or use run { … }, runSync { … }"
    )
    @_disfavoredOverload @discardableResult @_alwaysEmitIntoClient
    public func enqueue<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, runTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T
    ) -> Future<T> {
        fatalError()
    }

    /// Rejects closures that return no future, with a scheduler.
    @available(
        *, unavailable, message: "return a future (not an optional one; without await), or use run { … }, runSync { … }"
    )
    @_disfavoredOverload @discardableResult @_alwaysEmitIntoClient
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        runTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Resource) async throws -> T
    ) -> Future<T> {
        fatalError()
    }

    /// Rejects closures that return a future.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @available(*, noasync, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @_disfavoredOverload @discardableResult @_alwaysEmitIntoClient
    public func runSync<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) throws -> any FutureCarrying<T>
    ) -> Future<Future<T>> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects functions by their name that return a future.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @available(*, noasync, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @_disfavoredOverload @discardableResult @_alwaysEmitIntoClient
    public func runSync<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) throws -> Future<T>
    ) -> Future<Future<T>> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects closures that return a future, with a scheduler.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @available(*, noasync, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @_disfavoredOverload @discardableResult @_alwaysEmitIntoClient
    public func runSync<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Resource) throws -> any FutureCarrying<T>
    ) -> Future<Future<T>> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects functions by their name that return a future, with a scheduler.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @available(*, noasync, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @_disfavoredOverload @discardableResult @_alwaysEmitIntoClient
    public func runSync<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>
    ) -> Future<Future<T>> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects closures that return no future.
    @available(*, unavailable, message: "return a future (not an optional one; without await), or use runBatch { … }")
    @discardableResult @_alwaysEmitIntoClient
    public func enqueueBatch<T: Sendable>(
        maxConcurrentCount: Int = 1, priority: QueuePriority = .normal, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue) async throws -> T
    ) -> Future<T> {
        fatalError()
    }

    /// Rejects closures that return no future, with a scheduler.
    @available(*, unavailable, message: "return a future (not an optional one; without await), or use runBatch { … }")
    @discardableResult @_alwaysEmitIntoClient
    public func enqueueBatch<T: Sendable>(
        on scheduler: Scheduler, maxConcurrentCount: Int = 1, priority: QueuePriority = .normal,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (FutureQueue) async throws -> T
    ) -> Future<T> {
        fatalError()
    }
}

extension FutureQueue<Void> {
    /// Rejects closures that return no future.
    @available(
        *, unavailable, message: "return a future (not an optional one; without await), or use run { … }, runSync { … }"
    )
    @discardableResult @_alwaysEmitIntoClient
    public func enqueue<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, runTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
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
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        runTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
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
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
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
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
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
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
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
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<Future<T>> {
        ClosureReturnsAFuture.trap()
    }
}
