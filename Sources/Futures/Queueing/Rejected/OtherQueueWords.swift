// Words of other libraries for queues and locks: they do not compile, and say what to write instead.

extension FutureQueue {
    /// Does not compile: use abortQueuedOperations().
    @_alwaysEmitIntoClient
    @available(*, unavailable, message: "use abortQueuedOperations()")
    public func cancelAll() { fatalError() }

    /// Does not compile: use abortQueuedOperations().
    @_alwaysEmitIntoClient
    @available(*, unavailable, message: "use abortQueuedOperations()")
    public func cancelAllOperations() { fatalError() }

    /// Does not compile: use enqueue.
    @_alwaysEmitIntoClient
    @available(*, unavailable, message: "use enqueue")
    public func add<T>(_ operation: @escaping @Sendable () throws -> Future<T>) -> Future<T> { fatalError() }

    /// Does not compile: use runSync, or enqueue for a closure that returns a future.
    @_alwaysEmitIntoClient
    @available(*, unavailable, message: "use runSync, or enqueue for a closure that returns a future")
    public func addOperation(_ operation: @escaping @Sendable () -> Void) { fatalError() }

    /// Does not compile: use pause().
    @_alwaysEmitIntoClient
    @available(*, unavailable, message: "use pause()")
    public func suspend() { fatalError() }

    /// Does not compile: use drained(), a future, which wait() or await waits for.
    @_alwaysEmitIntoClient
    @available(*, unavailable, message: "use drained(), a future, which wait() or await waits for")
    public func waitUntilAllOperationsAreFinished() { fatalError() }
}

extension KeyedFutureQueue {
    /// Does not compile: use abortQueuedOperations().
    @_alwaysEmitIntoClient
    @available(*, unavailable, message: "use abortQueuedOperations()")
    public func cancelAll() { fatalError() }
}

extension FutureReadWriteLock {
    /// Does not compile: use withReaderLock.
    @_alwaysEmitIntoClient
    @available(*, unavailable, message: "use withReaderLock")
    public func withReadLock<T>(_ operation: @escaping @Sendable () async throws -> T) -> Future<T> { fatalError() }

    /// Does not compile: use withWriterLock.
    @_alwaysEmitIntoClient
    @available(*, unavailable, message: "use withWriterLock")
    public func withWriteLock<T>(_ operation: @escaping @Sendable () async throws -> T) -> Future<T> { fatalError() }
}

extension FutureMutex {
    /// Does not compile: use lockIfAvailable().
    @_alwaysEmitIntoClient
    @available(*, unavailable, message: "use lockIfAvailable()")
    public func tryLock() -> Bool { fatalError() }
}

extension FutureSemaphore {
    /// Does not compile: use acquire(), a future of a permit.
    @_alwaysEmitIntoClient
    @available(*, unavailable, message: "use acquire(), a future of a permit")
    public func wait() { fatalError() }

    /// Does not compile: use release() of the permit.
    @_alwaysEmitIntoClient
    @available(*, unavailable, message: "use release() of the permit")
    public func signal() { fatalError() }
}
