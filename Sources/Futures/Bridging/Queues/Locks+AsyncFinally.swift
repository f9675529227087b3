// FutureSemaphore, FutureMutex, FutureReadWriteLock: asynchronous operations with a cleanup.

extension FutureSemaphore {
    /// Calls the asynchronous `operation` and then `cleanup` while they have a permit.
    ///
    /// `cleanup` is called once for each operation that was called, before the permit is released, even if the
    /// operation throws or is cancelled. The future completes after the cleanup. If it is cancelled, it completes at
    /// once; the cleanup then starts when the task of `operation` has completed, and the permit is kept until the
    /// cleanup has completed. Nothing cancels the cleanup, which runs in a task of its own. An error of the cleanup
    /// replaces a value, but not an error, of the operation; `onCleanupFailure(_:)` is called with it in any case.
    ///
    /// - Parameters:
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The longest time that it may wait for the permit; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with a permit, in a task that is created here and waits. It runs on the closure's actor,
    ///     or else on the concurrent pool.
    ///   - cleanup: Called with the operation's result. That is `.failure(CancellationError())` if the operation was
    ///     cancelled.
    /// - Returns: A future of what `operation` returns or throws, or of the cleanup's error. It fails with
    ///   ``QueueError/waitTimedOut(after:)`` if the time limit passes.
    @discardableResult @_alwaysEmitIntoClient
    public func withPermit<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, nil, .init(file, line: line))
        return core.runTask(on: nil, options) {
            try await operation()
        } finally: { _, result in
            try await cleanup(result)
        }
    }

    /// Calls the asynchronous `operation` and then `cleanup` while they have a permit.
    ///
    /// `cleanup` is called once for each operation that was called, before the permit is released, even if the
    /// operation throws or is cancelled. The future completes after the cleanup. If it is cancelled, it completes at
    /// once; the cleanup then starts when the task of `operation` has completed, and the permit is kept until the
    /// cleanup has completed. Nothing cancels the cleanup, which runs in a task of its own. An error of the cleanup
    /// replaces a value, but not an error, of the operation; `onCleanupFailure(_:)` is called with it in any case.
    ///
    /// - Parameters:
    ///   - scheduler: The executor of both tasks, whose clock measures the time limit.
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The longest time that it may wait for the permit; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with a permit, in a task that is created here and waits.
    ///   - cleanup: Called with the operation's result. That is `.failure(CancellationError())` if the operation was
    ///     cancelled.
    /// - Returns: A future of what `operation` returns or throws, or of the cleanup's error. It fails with
    ///   ``QueueError/waitTimedOut(after:)`` if the time limit passes.
    @discardableResult @_alwaysEmitIntoClient
    public func withPermit<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, nil, .init(file, line: line))
        return core.runTask(on: scheduler, options) {
            try await operation()
        } finally: { _, result in
            try await cleanup(result)
        }
    }
}

extension FutureMutex {
    /// Calls the asynchronous `operation` and then `cleanup` while they have the lock.
    ///
    /// `cleanup` is called once for each operation that was called, before the lock is released, even if the operation
    /// throws or is cancelled. The future completes after the cleanup. If it is cancelled, it completes immediately;
    /// the cleanup then starts when the task of `operation` has completed, and the lock is kept until the cleanup has
    /// completed. Nothing cancels the cleanup, which runs in a task of its own. An error of the cleanup replaces a
    /// value, but not an error, of the operation; `onCleanupFailure(_:)` is called with it in any case.
    ///
    /// - Parameters:
    ///   - waitTimeout: The longest time that it may wait for the lock; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the lock, in a task that is created here and waits. It runs on the closure's actor,
    ///     or else on the concurrent pool.
    ///   - cleanup: Called with the operation's result. That is `.failure(CancellationError())` if the operation was
    ///     cancelled.
    /// - Returns: A future of what `operation` returns or throws, or of the cleanup's error. It fails with
    ///   ``QueueError/waitTimedOut(after:)`` if the time limit passes.
    @discardableResult @_alwaysEmitIntoClient
    public func withLock<T: Sendable>(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let options = QueueOptions(.normal, waitTimeout, nil, .init(file, line: line))
        return core.runTask(on: nil, options) {
            try await operation()
        } finally: { _, result in
            try await cleanup(result)
        }
    }

    /// Calls the asynchronous `operation` and then `cleanup` while they have the lock.
    ///
    /// `cleanup` is called once for each operation that was called, before the lock is released, even if the operation
    /// throws or is cancelled. The future completes after the cleanup. If it is cancelled, it completes immediately;
    /// the cleanup then starts when the task of `operation` has completed, and the lock is kept until the cleanup has
    /// completed. Nothing cancels the cleanup, which runs in a task of its own. An error of the cleanup replaces a
    /// value, but not an error, of the operation; `onCleanupFailure(_:)` is called with it in any case.
    ///
    /// - Parameters:
    ///   - scheduler: The executor of both tasks, whose clock measures the time limit.
    ///   - waitTimeout: The longest time that it may wait for the lock; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the lock, in a task that is created here and waits.
    ///   - cleanup: Called with the operation's result. That is `.failure(CancellationError())` if the operation was
    ///     cancelled.
    /// - Returns: A future of what `operation` returns or throws, or of the cleanup's error. It fails with
    ///   ``QueueError/waitTimedOut(after:)`` if the time limit passes.
    @discardableResult @_alwaysEmitIntoClient
    public func withLock<T: Sendable>(
        on scheduler: Scheduler, waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let options = QueueOptions(.normal, waitTimeout, nil, .init(file, line: line))
        return core.runTask(on: scheduler, options) {
            try await operation()
        } finally: { _, result in
            try await cleanup(result)
        }
    }
}

extension FutureReadWriteLock {
    /// Calls the asynchronous `operation` and then `cleanup` while they have the lock for reading, concurrently with
    /// other readers.
    ///
    /// `cleanup` is called once for each operation that was called, before the lock is released, even if the operation
    /// throws or is cancelled. The future completes after the cleanup. If it is cancelled, it completes immediately;
    /// the cleanup then starts when the task of `operation` has completed, and the lock is kept until the cleanup has
    /// completed. Nothing cancels the cleanup, which runs in a task of its own. An error of the cleanup replaces a
    /// value, but not an error, of the operation; `onCleanupFailure(_:)` is called with it in any case.
    ///
    /// - Parameters:
    ///   - waitTimeout: The longest time that it may wait for the lock; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the lock, in a task that is created here and waits. It runs on the closure's actor,
    ///     or else on the concurrent pool.
    ///   - cleanup: Called with the operation's result. That is `.failure(CancellationError())` if the operation was
    ///     cancelled.
    /// - Returns: A future of what `operation` returns or throws, or of the cleanup's error. It fails with
    ///   ``QueueError/waitTimedOut(after:)`` if the time limit passes.
    @discardableResult @_alwaysEmitIntoClient
    public func withReaderLock<T: Sendable>(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let options = QueueOptions(.normal, waitTimeout, nil, .init(file, line: line))
        return core.runTask(on: nil, options) {
            try await operation()
        } finally: { _, result in
            try await cleanup(result)
        }
    }

    /// Calls the asynchronous `operation` and then `cleanup` while they have the lock for reading, concurrently with
    /// other readers.
    ///
    /// `cleanup` is called once for each operation that was called, before the lock is released, even if the operation
    /// throws or is cancelled. The future completes after the cleanup. If it is cancelled, it completes immediately;
    /// the cleanup then starts when the task of `operation` has completed, and the lock is kept until the cleanup has
    /// completed. Nothing cancels the cleanup, which runs in a task of its own. An error of the cleanup replaces a
    /// value, but not an error, of the operation; `onCleanupFailure(_:)` is called with it in any case.
    ///
    /// - Parameters:
    ///   - scheduler: The executor of both tasks, whose clock measures the time limit.
    ///   - waitTimeout: The longest time that it may wait for the lock; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the lock, in a task that is created here and waits.
    ///   - cleanup: Called with the operation's result. That is `.failure(CancellationError())` if the operation was
    ///     cancelled.
    /// - Returns: A future of what `operation` returns or throws, or of the cleanup's error. It fails with
    ///   ``QueueError/waitTimedOut(after:)`` if the time limit passes.
    @discardableResult @_alwaysEmitIntoClient
    public func withReaderLock<T: Sendable>(
        on scheduler: Scheduler, waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let options = QueueOptions(.normal, waitTimeout, nil, .init(file, line: line))
        return core.runTask(on: scheduler, options) {
            try await operation()
        } finally: { _, result in
            try await cleanup(result)
        }
    }
}

extension FutureReadWriteLock {
    /// Calls the asynchronous `operation` and then `cleanup` while they have the lock for writing, exclusively.
    ///
    /// `cleanup` is called once for each operation that was called, before the lock is released, even if the operation
    /// throws or is cancelled. The future completes after the cleanup. If it is cancelled, it completes immediately;
    /// the cleanup then starts when the task of `operation` has completed, and the lock is kept until the cleanup has
    /// completed. Nothing cancels the cleanup, which runs in a task of its own. An error of the cleanup replaces a
    /// value, but not an error, of the operation; `onCleanupFailure(_:)` is called with it in any case.
    ///
    /// - Parameters:
    ///   - waitTimeout: The longest time that it may wait for the lock; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the lock, in a task that is created here and waits. It runs on the closure's actor,
    ///     or else on the concurrent pool.
    ///   - cleanup: Called with the operation's result. That is `.failure(CancellationError())` if the operation was
    ///     cancelled.
    /// - Returns: A future of what `operation` returns or throws, or of the cleanup's error. It fails with
    ///   ``QueueError/waitTimedOut(after:)`` if the time limit passes.
    @discardableResult @_alwaysEmitIntoClient
    public func withWriterLock<T: Sendable>(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let options = QueueOptions.writing(waitTimeout, .init(file, line: line))
        return core.runTask(on: nil, options) {
            try await operation()
        } finally: { _, result in
            try await cleanup(result)
        }
    }

    /// Calls the asynchronous `operation` and then `cleanup` while they have the lock for writing, exclusively.
    ///
    /// `cleanup` is called once for each operation that was called, before the lock is released, even if the operation
    /// throws or is cancelled. The future completes after the cleanup. If it is cancelled, it completes immediately;
    /// the cleanup then starts when the task of `operation` has completed, and the lock is kept until the cleanup has
    /// completed. Nothing cancels the cleanup, which runs in a task of its own. An error of the cleanup replaces a
    /// value, but not an error, of the operation; `onCleanupFailure(_:)` is called with it in any case.
    ///
    /// - Parameters:
    ///   - scheduler: The executor of both tasks, whose clock measures the time limit.
    ///   - waitTimeout: The longest time that it may wait for the lock; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the lock, in a task that is created here and waits.
    ///   - cleanup: Called with the operation's result. That is `.failure(CancellationError())` if the operation was
    ///     cancelled.
    /// - Returns: A future of what `operation` returns or throws, or of the cleanup's error. It fails with
    ///   ``QueueError/waitTimedOut(after:)`` if the time limit passes.
    @discardableResult @_alwaysEmitIntoClient
    public func withWriterLock<T: Sendable>(
        on scheduler: Scheduler, waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let options = QueueOptions.writing(waitTimeout, .init(file, line: line))
        return core.runTask(on: scheduler, options) {
            try await operation()
        } finally: { _, result in
            try await cleanup(result)
        }
    }
}
