// Batches: closures of the wrong kind with a cleanup, which do not compile. See `ClosureReturnsAFuture`.

extension FutureQueue {
    /// Rejects closures that return no future.
    @available(*, unavailable, message: "return futures and await nothing, or use runBatch { … } finally: { … }")
    @_disfavoredOverload @discardableResult @_alwaysEmitIntoClient
    public func enqueueBatch<T: Sendable, End: Sendable>(
        maxConcurrentCount: Int = 1, priority: QueuePriority = .normal, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue) async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Resource, Result<T, any Error>) async throws -> End
    ) -> Future<T> {
        fatalError()
    }

    /// Rejects closures that return no future, with a scheduler.
    @available(*, unavailable, message: "return futures and await nothing, or use runBatch { … } finally: { … }")
    @_disfavoredOverload @discardableResult @_alwaysEmitIntoClient
    public func enqueueBatch<T: Sendable, End: Sendable>(
        on scheduler: Scheduler, maxConcurrentCount: Int = 1, priority: QueuePriority = .normal,
        file: StaticString = #fileID,
        line: UInt = #line,
        _ operation: @escaping @Sendable (FutureQueue) async throws -> T,
        finally cleanup: @escaping @Sendable (Resource, Result<T, any Error>) async throws -> End
    ) -> Future<T> {
        fatalError()
    }

    /// Rejects operations that return a future.
    @ClosureReturnsAFuture
    @available(
        *, deprecated, message: "the turn would end before the future: use enqueueBatch { … }, or await its value"
    )
    @available(*, noasync, message: "the turn would end before the future: use enqueueBatch { … }, or await its value")
    @_disfavoredOverload @discardableResult @_alwaysEmitIntoClient
    public func runBatch<T: FutureCarrying>(
        maxConcurrentCount: Int = 1, priority: QueuePriority = .normal, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue) async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Resource, Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects operations that return a future, with a scheduler.
    @ClosureReturnsAFuture
    @available(
        *, deprecated, message: "the turn would end before the future: use enqueueBatch { … }, or await its value"
    )
    @available(*, noasync, message: "the turn would end before the future: use enqueueBatch { … }, or await its value")
    @_disfavoredOverload @discardableResult @_alwaysEmitIntoClient
    public func runBatch<T: FutureCarrying>(
        on scheduler: Scheduler, maxConcurrentCount: Int = 1, priority: QueuePriority = .normal,
        file: StaticString = #fileID,
        line: UInt = #line,
        _ operation: @escaping @Sendable (FutureQueue) async throws -> T,
        finally cleanup: @escaping @Sendable (Resource, Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects cleanups that return a future.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "nothing would wait for the cleanup: use enqueueBatch { … }, or await its value")
    @available(*, noasync, message: "nothing would wait for the cleanup: use enqueueBatch { … }, or await its value")
    @_disfavoredOverload @discardableResult @_alwaysEmitIntoClient
    public func runBatch<T: Sendable, End: FutureCarrying>(
        maxConcurrentCount: Int = 1, priority: QueuePriority = .normal, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue) async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Resource, Result<T, any Error>) async throws -> End
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects cleanups that return a future, with a scheduler.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "nothing would wait for the cleanup: use enqueueBatch { … }, or await its value")
    @available(*, noasync, message: "nothing would wait for the cleanup: use enqueueBatch { … }, or await its value")
    @_disfavoredOverload @discardableResult @_alwaysEmitIntoClient
    public func runBatch<T: Sendable, End: FutureCarrying>(
        on scheduler: Scheduler, maxConcurrentCount: Int = 1, priority: QueuePriority = .normal,
        file: StaticString = #fileID,
        line: UInt = #line,
        _ operation: @escaping @Sendable (FutureQueue) async throws -> T,
        finally cleanup: @escaping @Sendable (Resource, Result<T, any Error>) async throws -> End
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }
}

extension FutureQueue<Void> {
    /// Rejects closures that return no future.
    @available(*, unavailable, message: "return futures and await nothing, or use runBatch { … } finally: { … }")
    @discardableResult @_alwaysEmitIntoClient
    public func enqueueBatch<T: Sendable, End: Sendable>(
        maxConcurrentCount: Int = 1, priority: QueuePriority = .normal, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue) async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> End
    ) -> Future<T> {
        fatalError()
    }

    /// Rejects closures that return no future, with a scheduler.
    @available(*, unavailable, message: "return futures and await nothing, or use runBatch { … } finally: { … }")
    @discardableResult @_alwaysEmitIntoClient
    public func enqueueBatch<T: Sendable, End: Sendable>(
        on scheduler: Scheduler, maxConcurrentCount: Int = 1, priority: QueuePriority = .normal,
        file: StaticString = #fileID,
        line: UInt = #line,
        _ operation: @escaping @Sendable (FutureQueue) async throws -> T,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) async throws -> End
    ) -> Future<T> {
        fatalError()
    }

    /// Rejects operations that return a future.
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
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue) async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects operations that return a future, with a scheduler.
    @ClosureReturnsAFuture
    @available(
        *, deprecated, message: "the turn would end before the future: use enqueueBatch { … }, or await its value"
    )
    @available(*, noasync, message: "the turn would end before the future: use enqueueBatch { … }, or await its value")
    @discardableResult @_alwaysEmitIntoClient
    public func runBatch<T: FutureCarrying>(
        on scheduler: Scheduler, maxConcurrentCount: Int = 1, priority: QueuePriority = .normal,
        file: StaticString = #fileID,
        line: UInt = #line,
        _ operation: @escaping @Sendable (FutureQueue) async throws -> T,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects cleanups that return a future.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "nothing would wait for the cleanup: use enqueueBatch { … }, or await its value")
    @available(*, noasync, message: "nothing would wait for the cleanup: use enqueueBatch { … }, or await its value")
    @discardableResult @_alwaysEmitIntoClient
    public func runBatch<T: Sendable, End: FutureCarrying>(
        maxConcurrentCount: Int = 1, priority: QueuePriority = .normal, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue) async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> End
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects cleanups that return a future, with a scheduler.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "nothing would wait for the cleanup: use enqueueBatch { … }, or await its value")
    @available(*, noasync, message: "nothing would wait for the cleanup: use enqueueBatch { … }, or await its value")
    @discardableResult @_alwaysEmitIntoClient
    public func runBatch<T: Sendable, End: FutureCarrying>(
        on scheduler: Scheduler, maxConcurrentCount: Int = 1, priority: QueuePriority = .normal,
        file: StaticString = #fileID,
        line: UInt = #line,
        _ operation: @escaping @Sendable (FutureQueue) async throws -> T,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) async throws -> End
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }
}
