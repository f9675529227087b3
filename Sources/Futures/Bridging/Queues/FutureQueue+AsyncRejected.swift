// FutureQueue: rejects asynchronous closures that return a future, at compile time. See `ClosureReturnsAFuture`.

extension FutureQueue {
    /// Rejects a closure that returns a future, for which the turn would not last. Use `enqueue`, or await the future's
    /// value in the closure.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @available(*, noasync, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @_disfavoredOverload @discardableResult @_alwaysEmitIntoClient
    public func run<T: FutureCarrying>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, runTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects a closure that returns a future, for which the turn would not last. Use `enqueue`, or await the future's
    /// value in the closure.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @available(*, noasync, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @_disfavoredOverload @discardableResult @_alwaysEmitIntoClient
    public func run<T: FutureCarrying>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        runTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Resource) async throws -> T
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects a closure that returns a future, for which the turn would not last. Use `enqueueBatch`, or await the
    /// future's value in the closure.
    @ClosureReturnsAFuture
    @available(
        *, deprecated, message: "the turn would end before the future: use enqueueBatch { … }, or await its value"
    )
    @available(*, noasync, message: "the turn would end before the future: use enqueueBatch { … }, or await its value")
    @discardableResult @_alwaysEmitIntoClient
    public func runBatch<T: FutureCarrying>(
        maxConcurrentCount: Int = 1, priority: QueuePriority = .normal, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue) async throws -> T
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects a closure that returns a future, for which the turn would not last. Use `enqueueBatch`, or await the
    /// future's value in the closure.
    @ClosureReturnsAFuture
    @available(
        *, deprecated, message: "the turn would end before the future: use enqueueBatch { … }, or await its value"
    )
    @available(*, noasync, message: "the turn would end before the future: use enqueueBatch { … }, or await its value")
    @discardableResult @_alwaysEmitIntoClient
    public func runBatch<T: FutureCarrying>(
        on scheduler: Scheduler, maxConcurrentCount: Int = 1, priority: QueuePriority = .normal,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (FutureQueue) async throws -> T
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }
}

extension FutureQueue<Void> {
    /// Rejects a closure that returns a future, for which the turn would not last. Use `enqueue`, or await the future's
    /// value in the closure.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @available(*, noasync, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @discardableResult @_alwaysEmitIntoClient
    public func run<T: FutureCarrying>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, runTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects a closure that returns a future, for which the turn would not last. Use `enqueue`, or await the future's
    /// value in the closure.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @available(*, noasync, message: "the turn would end before the future: use enqueue { … }, or await its value")
    @discardableResult @_alwaysEmitIntoClient
    public func run<T: FutureCarrying>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        runTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }
}
