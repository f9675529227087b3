// FutureReadWriteLock: closures of the wrong kind with a cleanup, which do not compile. See `ClosureReturnsAFuture`.

extension FutureReadWriteLock {
    /// Rejects closures that return no future.
    @available(*, unavailable, message: "return futures and await nothing, or use withReaderLock { … } finally: { … }")
    @discardableResult @_alwaysEmitIntoClient
    public func enqueueReading<T: Sendable, End: Sendable>(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> End
    ) -> Future<T> {
        fatalError()
    }

    /// Rejects closures that return no future, with a scheduler.
    @available(*, unavailable, message: "return futures and await nothing, or use withReaderLock { … } finally: { … }")
    @discardableResult @_alwaysEmitIntoClient
    public func enqueueReading<T: Sendable, End: Sendable>(
        on scheduler: Scheduler, waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) async throws -> End
    ) -> Future<T> {
        fatalError()
    }

    /// Rejects operations that return a future.
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
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects operations that return a future, with a scheduler.
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
        _ operation: @escaping @Sendable () async throws -> T,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects cleanups that return a future.
    @ClosureReturnsAFuture
    @available(
        *, deprecated, message: "nothing would wait for the cleanup: use enqueueReading { … }, or await its value"
    )
    @available(*, noasync, message: "nothing would wait for the cleanup: use enqueueReading { … }, or await its value")
    @discardableResult @_alwaysEmitIntoClient
    public func withReaderLock<T: Sendable, End: FutureCarrying>(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> End
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects cleanups that return a future, with a scheduler.
    @ClosureReturnsAFuture
    @available(
        *, deprecated, message: "nothing would wait for the cleanup: use enqueueReading { … }, or await its value"
    )
    @available(*, noasync, message: "nothing would wait for the cleanup: use enqueueReading { … }, or await its value")
    @discardableResult @_alwaysEmitIntoClient
    public func withReaderLock<T: Sendable, End: FutureCarrying>(
        on scheduler: Scheduler, waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) async throws -> End
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }
}

extension FutureReadWriteLock {
    /// Rejects closures that return no future.
    @available(*, unavailable, message: "return futures and await nothing, or use withWriterLock { … } finally: { … }")
    @discardableResult @_alwaysEmitIntoClient
    public func enqueueWriting<T: Sendable, End: Sendable>(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> End
    ) -> Future<T> {
        fatalError()
    }

    /// Rejects closures that return no future, with a scheduler.
    @available(*, unavailable, message: "return futures and await nothing, or use withWriterLock { … } finally: { … }")
    @discardableResult @_alwaysEmitIntoClient
    public func enqueueWriting<T: Sendable, End: Sendable>(
        on scheduler: Scheduler, waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) async throws -> End
    ) -> Future<T> {
        fatalError()
    }

    /// Rejects operations that return a future.
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
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects operations that return a future, with a scheduler.
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
        _ operation: @escaping @Sendable () async throws -> T,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects cleanups that return a future.
    @ClosureReturnsAFuture
    @available(
        *, deprecated, message: "nothing would wait for the cleanup: use enqueueWriting { … }, or await its value"
    )
    @available(*, noasync, message: "nothing would wait for the cleanup: use enqueueWriting { … }, or await its value")
    @discardableResult @_alwaysEmitIntoClient
    public func withWriterLock<T: Sendable, End: FutureCarrying>(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> End
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects cleanups that return a future, with a scheduler.
    @ClosureReturnsAFuture
    @available(
        *, deprecated, message: "nothing would wait for the cleanup: use enqueueWriting { … }, or await its value"
    )
    @available(*, noasync, message: "nothing would wait for the cleanup: use enqueueWriting { … }, or await its value")
    @discardableResult @_alwaysEmitIntoClient
    public func withWriterLock<T: Sendable, End: FutureCarrying>(
        on scheduler: Scheduler, waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) async throws -> End
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }
}
