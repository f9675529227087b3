// finally: operations under a permit or a lock that end with a cleanup.

extension FutureSemaphore {
    /// Calls `operation` with a permit, and `cleanup` as the last step before that is given back.
    ///
    /// However the operation ends, `cleanup` is called once, before others get their turn: with a value, an error, a
    /// cancel, an abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future
    /// completes after the cleanup. If it is cancelled, it completes immediately; then the cleanup starts when
    /// `operation` has returned and its future has completed, and it is kept until the cleanup is complete. Nothing
    /// cancels the cleanup. If the cleanup fails, a success becomes that failure; an error stays what it is, and the
    /// cleanup's goes to `onCleanupFailure(_:)`.
    ///
    /// - Parameters:
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with a permit.
    ///   - cleanup: Gets the operation's result; the turn lasts until its future completes. A cancel is
    ///     `.failure(CancellationError())`.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if the
    ///   time limit passes.
    @discardableResult
    public func enqueue<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, nil, .init(file, line: line))
        let (scheduler, operation) = isolated(operation)
        let step = CleanupStep(on: scheduler, cleanup)
        return core.enqueue(on: scheduler, options, operation, finally: step)
    }

    /// Calls `operation` with a permit, and `cleanup` as the last step before that is given back.
    ///
    /// However the operation ends, `cleanup` is called once, before others get their turn: with a value, an error, a
    /// cancel, an abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future
    /// completes after the cleanup. If it is cancelled, it completes immediately; then the cleanup starts when
    /// `operation` has returned and its future has completed, and it is kept until the cleanup is complete. Nothing
    /// cancels the cleanup. If the cleanup fails, a success becomes that failure; an error stays what it is, and the
    /// cleanup's goes to `onCleanupFailure(_:)`. Both closures are called on `scheduler`.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which both closures are called. Its clock measures the time limits.
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with a permit.
    ///   - cleanup: Gets the operation's result; the turn lasts until its future completes. A cancel is
    ///     `.failure(CancellationError())`.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if the
    ///   time limit passes.
    @discardableResult
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, nil, .init(file, line: line))
        let step = CleanupStep(on: scheduler, cleanup)
        return core.enqueue(on: scheduler, options, operation, finally: step)
    }
}

extension FutureMutex {
    /// Calls `operation` with the lock, and `cleanup` as the last step before that is given back.
    ///
    /// However the operation ends, `cleanup` is called once, before others get their turn: with a value, an error, a
    /// cancel, an abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future
    /// completes after the cleanup. If it is cancelled, it completes immediately; then the cleanup starts when
    /// `operation` has returned and its future has completed, and it is kept until the cleanup is complete. Nothing
    /// cancels the cleanup. If the cleanup fails, a success becomes that failure; an error stays what it is, and the
    /// cleanup's goes to `onCleanupFailure(_:)`.
    ///
    /// - Parameters:
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the lock.
    ///   - cleanup: Gets the operation's result; the turn lasts until its future completes. A cancel is
    ///     `.failure(CancellationError())`.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if the
    ///   time limit passes.
    @discardableResult
    public func enqueue<T: Sendable>(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions(.normal, waitTimeout, nil, .init(file, line: line))
        let (scheduler, operation) = isolated(operation)
        let step = CleanupStep(on: scheduler, cleanup)
        return core.enqueue(on: scheduler, options, operation, finally: step)
    }

    /// Calls `operation` with the lock, and `cleanup` as the last step before that is given back.
    ///
    /// However the operation ends, `cleanup` is called once, before others get their turn: with a value, an error, a
    /// cancel, an abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future
    /// completes after the cleanup. If it is cancelled, it completes immediately; then the cleanup starts when
    /// `operation` has returned and its future has completed, and it is kept until the cleanup is complete. Nothing
    /// cancels the cleanup. If the cleanup fails, a success becomes that failure; an error stays what it is, and the
    /// cleanup's goes to `onCleanupFailure(_:)`. Both closures are called on `scheduler`.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which both closures are called. Its clock measures the time limits.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the lock.
    ///   - cleanup: Gets the operation's result; the turn lasts until its future completes. A cancel is
    ///     `.failure(CancellationError())`.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if the
    ///   time limit passes.
    @discardableResult
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions(.normal, waitTimeout, nil, .init(file, line: line))
        let step = CleanupStep(on: scheduler, cleanup)
        return core.enqueue(on: scheduler, options, operation, finally: step)
    }
}

extension FutureReadWriteLock {
    /// Calls `operation` with the right to read, and `cleanup` as the last step before that is given back.
    ///
    /// However the operation ends, `cleanup` is called once, before others get their turn: with a value, an error, a
    /// cancel, an abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future
    /// completes after the cleanup. If it is cancelled, it completes immediately; then the cleanup starts when
    /// `operation` has returned and its future has completed, and it is kept until the cleanup is complete. Nothing
    /// cancels the cleanup. If the cleanup fails, a success becomes that failure; an error stays what it is, and the
    /// cleanup's goes to `onCleanupFailure(_:)`.
    ///
    /// - Parameters:
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the right to read.
    ///   - cleanup: Gets the operation's result; the turn lasts until its future completes. A cancel is
    ///     `.failure(CancellationError())`.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if the
    ///   time limit passes.
    @discardableResult
    public func enqueueReading<T: Sendable>(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions(.normal, waitTimeout, nil, .init(file, line: line))
        let (scheduler, operation) = isolated(operation)
        let step = CleanupStep(on: scheduler, cleanup)
        return core.enqueue(on: scheduler, options, operation, finally: step)
    }

    /// Calls `operation` with the right to read, and `cleanup` as the last step before that is given back.
    ///
    /// However the operation ends, `cleanup` is called once, before others get their turn: with a value, an error, a
    /// cancel, an abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future
    /// completes after the cleanup. If it is cancelled, it completes immediately; then the cleanup starts when
    /// `operation` has returned and its future has completed, and it is kept until the cleanup is complete. Nothing
    /// cancels the cleanup. If the cleanup fails, a success becomes that failure; an error stays what it is, and the
    /// cleanup's goes to `onCleanupFailure(_:)`. Both closures are called on `scheduler`.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which both closures are called. Its clock measures the time limits.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the right to read.
    ///   - cleanup: Gets the operation's result; the turn lasts until its future completes. A cancel is
    ///     `.failure(CancellationError())`.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if the
    ///   time limit passes.
    @discardableResult
    public func enqueueReading<T: Sendable>(
        on scheduler: Scheduler, waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions(.normal, waitTimeout, nil, .init(file, line: line))
        let step = CleanupStep(on: scheduler, cleanup)
        return core.enqueue(on: scheduler, options, operation, finally: step)
    }
}

extension FutureReadWriteLock {
    /// Calls `operation` with the right to write, and `cleanup` as the last step before that is given back.
    ///
    /// However the operation ends, `cleanup` is called once, before others get their turn: with a value, an error, a
    /// cancel, an abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future
    /// completes after the cleanup. If it is cancelled, it completes immediately; then the cleanup starts when
    /// `operation` has returned and its future has completed, and it is kept until the cleanup is complete. Nothing
    /// cancels the cleanup. If the cleanup fails, a success becomes that failure; an error stays what it is, and the
    /// cleanup's goes to `onCleanupFailure(_:)`.
    ///
    /// - Parameters:
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the right to write.
    ///   - cleanup: Gets the operation's result; the turn lasts until its future completes. A cancel is
    ///     `.failure(CancellationError())`.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if the
    ///   time limit passes.
    @discardableResult
    public func enqueueWriting<T: Sendable>(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions.writing(waitTimeout, .init(file, line: line))
        let (scheduler, operation) = isolated(operation)
        let step = CleanupStep(on: scheduler, cleanup)
        return core.enqueue(on: scheduler, options, operation, finally: step)
    }

    /// Calls `operation` with the right to write, and `cleanup` as the last step before that is given back.
    ///
    /// However the operation ends, `cleanup` is called once, before others get their turn: with a value, an error, a
    /// cancel, an abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future
    /// completes after the cleanup. If it is cancelled, it completes immediately; then the cleanup starts when
    /// `operation` has returned and its future has completed, and it is kept until the cleanup is complete. Nothing
    /// cancels the cleanup. If the cleanup fails, a success becomes that failure; an error stays what it is, and the
    /// cleanup's goes to `onCleanupFailure(_:)`. Both closures are called on `scheduler`.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which both closures are called. Its clock measures the time limits.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the right to write.
    ///   - cleanup: Gets the operation's result; the turn lasts until its future completes. A cancel is
    ///     `.failure(CancellationError())`.
    /// - Returns: A future of the operation's result, or of the cleanup's error. It fails with a ``QueueError`` if the
    ///   time limit passes.
    @discardableResult
    public func enqueueWriting<T: Sendable>(
        on scheduler: Scheduler, waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions.writing(waitTimeout, .init(file, line: line))
        let step = CleanupStep(on: scheduler, cleanup)
        return core.enqueue(on: scheduler, options, operation, finally: step)
    }
}
