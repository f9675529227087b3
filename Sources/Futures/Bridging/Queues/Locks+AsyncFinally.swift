// finally: asynchronous operations under a permit or a lock that end with a cleanup.

extension FutureSemaphore {
    /// Calls the asynchronous `operation` with a permit, and `cleanup` as the last step before that is given back.
    ///
    /// However the operation ends, `cleanup` is called once, before others get their turn: with a value, an error, a
    /// cancel, an abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future
    /// completes after the cleanup. If it is cancelled, it completes at once; then the cleanup starts when the task of
    /// `operation` has returned, and it is kept until the cleanup is complete. Nothing cancels the cleanup, which runs
    /// in a task of its own. If the cleanup fails, a success becomes that failure; an error stays what it is, and the
    /// cleanup's goes to `onCleanupFailure(_:)`.
    ///
    /// - Parameters:
    ///   - operation: Called with a permit, in a task that starts here and waits.
    ///   - cleanup: Gets the operation's result. A cancel is `.failure(CancellationError())`.
    @discardableResult
    public func withPermit<T: Sendable>(
        priority: QueuePriority = .normal, waitingAtMost: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let terms = Terms(priority, waitingAtMost, nil, .init(file, line: line))
        return station.runTask(on: nil, terms) {
            try await operation()
        } finally: { _, result in
            try await cleanup(result)
        }
    }

    /// Calls the asynchronous `operation` with a permit, and `cleanup` as the last step before that is given back.
    ///
    /// However the operation ends, `cleanup` is called once, before others get their turn: with a value, an error, a
    /// cancel, an abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future
    /// completes after the cleanup. If it is cancelled, it completes at once; then the cleanup starts when the task of
    /// `operation` has returned, and it is kept until the cleanup is complete. Nothing cancels the cleanup, which runs
    /// in a task of its own. If the cleanup fails, a success becomes that failure; an error stays what it is, and the
    /// cleanup's goes to `onCleanupFailure(_:)`. `scheduler` is the executor of both tasks.
    ///
    /// - Parameters:
    ///   - operation: Called with a permit, in a task that starts here and waits.
    ///   - cleanup: Gets the operation's result. A cancel is `.failure(CancellationError())`.
    @discardableResult
    public func withPermit<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitingAtMost: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let terms = Terms(priority, waitingAtMost, nil, .init(file, line: line))
        return station.runTask(on: scheduler, terms) {
            try await operation()
        } finally: { _, result in
            try await cleanup(result)
        }
    }
}

extension FutureMutex {
    /// Calls the asynchronous `operation` with the lock, and `cleanup` as the last step before that is given back.
    ///
    /// However the operation ends, `cleanup` is called once, before others get their turn: with a value, an error, a
    /// cancel, an abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future
    /// completes after the cleanup. If it is cancelled, it completes at once; then the cleanup starts when the task of
    /// `operation` has returned, and it is kept until the cleanup is complete. Nothing cancels the cleanup, which runs
    /// in a task of its own. If the cleanup fails, a success becomes that failure; an error stays what it is, and the
    /// cleanup's goes to `onCleanupFailure(_:)`.
    ///
    /// - Parameters:
    ///   - operation: Called with the lock, in a task that starts here and waits.
    ///   - cleanup: Gets the operation's result. A cancel is `.failure(CancellationError())`.
    @discardableResult
    public func withLock<T: Sendable>(
        waitingAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let terms = Terms(.normal, waitingAtMost, nil, .init(file, line: line))
        return station.runTask(on: nil, terms) {
            try await operation()
        } finally: { _, result in
            try await cleanup(result)
        }
    }

    /// Calls the asynchronous `operation` with the lock, and `cleanup` as the last step before that is given back.
    ///
    /// However the operation ends, `cleanup` is called once, before others get their turn: with a value, an error, a
    /// cancel, an abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future
    /// completes after the cleanup. If it is cancelled, it completes at once; then the cleanup starts when the task of
    /// `operation` has returned, and it is kept until the cleanup is complete. Nothing cancels the cleanup, which runs
    /// in a task of its own. If the cleanup fails, a success becomes that failure; an error stays what it is, and the
    /// cleanup's goes to `onCleanupFailure(_:)`. `scheduler` is the executor of both tasks.
    ///
    /// - Parameters:
    ///   - operation: Called with the lock, in a task that starts here and waits.
    ///   - cleanup: Gets the operation's result. A cancel is `.failure(CancellationError())`.
    @discardableResult
    public func withLock<T: Sendable>(
        on scheduler: Scheduler, waitingAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let terms = Terms(.normal, waitingAtMost, nil, .init(file, line: line))
        return station.runTask(on: scheduler, terms) {
            try await operation()
        } finally: { _, result in
            try await cleanup(result)
        }
    }
}

extension FutureReadWriteLock {
    /// Calls the asynchronous `operation` with the right to read, and `cleanup` as the last step before that is given
    /// back.
    ///
    /// However the operation ends, `cleanup` is called once, before others get their turn: with a value, an error, a
    /// cancel, an abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future
    /// completes after the cleanup. If it is cancelled, it completes at once; then the cleanup starts when the task of
    /// `operation` has returned, and it is kept until the cleanup is complete. Nothing cancels the cleanup, which runs
    /// in a task of its own. If the cleanup fails, a success becomes that failure; an error stays what it is, and the
    /// cleanup's goes to `onCleanupFailure(_:)`.
    ///
    /// - Parameters:
    ///   - operation: Called with the right to read, in a task that starts here and waits.
    ///   - cleanup: Gets the operation's result. A cancel is `.failure(CancellationError())`.
    @discardableResult
    public func withReaderLock<T: Sendable>(
        waitingAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let terms = Terms(.normal, waitingAtMost, nil, .init(file, line: line))
        return station.runTask(on: nil, terms) {
            try await operation()
        } finally: { _, result in
            try await cleanup(result)
        }
    }

    /// Calls the asynchronous `operation` with the right to read, and `cleanup` as the last step before that is given
    /// back.
    ///
    /// However the operation ends, `cleanup` is called once, before others get their turn: with a value, an error, a
    /// cancel, an abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future
    /// completes after the cleanup. If it is cancelled, it completes at once; then the cleanup starts when the task of
    /// `operation` has returned, and it is kept until the cleanup is complete. Nothing cancels the cleanup, which runs
    /// in a task of its own. If the cleanup fails, a success becomes that failure; an error stays what it is, and the
    /// cleanup's goes to `onCleanupFailure(_:)`. `scheduler` is the executor of both tasks.
    ///
    /// - Parameters:
    ///   - operation: Called with the right to read, in a task that starts here and waits.
    ///   - cleanup: Gets the operation's result. A cancel is `.failure(CancellationError())`.
    @discardableResult
    public func withReaderLock<T: Sendable>(
        on scheduler: Scheduler, waitingAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let terms = Terms(.normal, waitingAtMost, nil, .init(file, line: line))
        return station.runTask(on: scheduler, terms) {
            try await operation()
        } finally: { _, result in
            try await cleanup(result)
        }
    }
}

extension FutureReadWriteLock {
    /// Calls the asynchronous `operation` with the right to write, and `cleanup` as the last step before that is given
    /// back.
    ///
    /// However the operation ends, `cleanup` is called once, before others get their turn: with a value, an error, a
    /// cancel, an abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future
    /// completes after the cleanup. If it is cancelled, it completes at once; then the cleanup starts when the task of
    /// `operation` has returned, and it is kept until the cleanup is complete. Nothing cancels the cleanup, which runs
    /// in a task of its own. If the cleanup fails, a success becomes that failure; an error stays what it is, and the
    /// cleanup's goes to `onCleanupFailure(_:)`.
    ///
    /// - Parameters:
    ///   - operation: Called with the right to write, in a task that starts here and waits.
    ///   - cleanup: Gets the operation's result. A cancel is `.failure(CancellationError())`.
    @discardableResult
    public func withWriterLock<T: Sendable>(
        waitingAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let terms = Terms.writing(waitingAtMost, .init(file, line: line))
        return station.runTask(on: nil, terms) {
            try await operation()
        } finally: { _, result in
            try await cleanup(result)
        }
    }

    /// Calls the asynchronous `operation` with the right to write, and `cleanup` as the last step before that is given
    /// back.
    ///
    /// However the operation ends, `cleanup` is called once, before others get their turn: with a value, an error, a
    /// cancel, an abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future
    /// completes after the cleanup. If it is cancelled, it completes at once; then the cleanup starts when the task of
    /// `operation` has returned, and it is kept until the cleanup is complete. Nothing cancels the cleanup, which runs
    /// in a task of its own. If the cleanup fails, a success becomes that failure; an error stays what it is, and the
    /// cleanup's goes to `onCleanupFailure(_:)`. `scheduler` is the executor of both tasks.
    ///
    /// - Parameters:
    ///   - operation: Called with the right to write, in a task that starts here and waits.
    ///   - cleanup: Gets the operation's result. A cancel is `.failure(CancellationError())`.
    @discardableResult
    public func withWriterLock<T: Sendable>(
        on scheduler: Scheduler, waitingAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let terms = Terms.writing(waitingAtMost, .init(file, line: line))
        return station.runTask(on: scheduler, terms) {
            try await operation()
        } finally: { _, result in
            try await cleanup(result)
        }
    }
}
