// FutureReadWriteLock: closures of the wrong kind, which do not compile. See `ClosureReturnsAFuture`.

extension FutureReadWriteLock {
    /// Rejects closures that return no future.
    @available(
        *, unavailable, message: "return a future (not an optional one; without await), or use withReaderLock { … }"
    )
    @discardableResult @_alwaysEmitIntoClient
    public func enqueueReading<T: Sendable>(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        fatalError()
    }

    /// Rejects closures that return no future, with a scheduler.
    @available(
        *, unavailable, message: "return a future (not an optional one; without await), or use withReaderLock { … }"
    )
    @discardableResult @_alwaysEmitIntoClient
    public func enqueueReading<T: Sendable>(
        on scheduler: Scheduler, waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T
    ) -> Future<T> {
        fatalError()
    }

    /// Rejects closures that return no future.
    @available(
        *, unavailable, message: "return a future (not an optional one; without await), or use withWriterLock { … }"
    )
    @discardableResult @_alwaysEmitIntoClient
    public func enqueueWriting<T: Sendable>(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        fatalError()
    }

    /// Rejects closures that return no future, with a scheduler.
    @available(
        *, unavailable, message: "return a future (not an optional one; without await), or use withWriterLock { … }"
    )
    @discardableResult @_alwaysEmitIntoClient
    public func enqueueWriting<T: Sendable>(
        on scheduler: Scheduler, waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T
    ) -> Future<T> {
        fatalError()
    }

    /// Rejects closures that return a future.
    @ClosureReturnsAFuture
    @available(
        *, deprecated, message: "the turn would end before the future: use enqueueReading { … }, or await its value"
    )
    @available(
        *, noasync, message: "the turn would end before the future: use enqueueReading { … }, or await its value"
    )
    @discardableResult @_alwaysEmitIntoClient
    public func withReaderLock<T: FutureCarrying>(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects closures that return a future, with a scheduler.
    @ClosureReturnsAFuture
    @available(
        *, deprecated, message: "the turn would end before the future: use enqueueReading { … }, or await its value"
    )
    @available(
        *, noasync, message: "the turn would end before the future: use enqueueReading { … }, or await its value"
    )
    @discardableResult @_alwaysEmitIntoClient
    public func withReaderLock<T: FutureCarrying>(
        on scheduler: Scheduler, waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects closures that return a future.
    @ClosureReturnsAFuture
    @available(
        *, deprecated, message: "the turn would end before the future: use enqueueWriting { … }, or await its value"
    )
    @available(
        *, noasync, message: "the turn would end before the future: use enqueueWriting { … }, or await its value"
    )
    @discardableResult @_alwaysEmitIntoClient
    public func withWriterLock<T: FutureCarrying>(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects closures that return a future, with a scheduler.
    @ClosureReturnsAFuture
    @available(
        *, deprecated, message: "the turn would end before the future: use enqueueWriting { … }, or await its value"
    )
    @available(
        *, noasync, message: "the turn would end before the future: use enqueueWriting { … }, or await its value"
    )
    @discardableResult @_alwaysEmitIntoClient
    public func withWriterLock<T: FutureCarrying>(
        on scheduler: Scheduler, waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }
}
