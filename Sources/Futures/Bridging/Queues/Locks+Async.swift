// FutureSemaphore, FutureMutex, FutureReadWriteLock: asynchronous operations.

extension FutureSemaphore {
    /// Calls the asynchronous `operation` while it has a permit.
    ///
    /// The operation runs in a task that is created here, with the caller's priority and task-local values, and waits
    /// for the permit. Cancelling the future completes it immediately and cancels the task; the permit is released when
    /// the task has completed, so a task that ignores the cancellation keeps it. An operation that is cancelled while
    /// it waits is never called.
    ///
    /// - Parameters:
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The longest time that it may wait for the permit; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with a permit, which it has until it has returned. It runs on the closure's actor, or else
    ///     on the concurrent pool.
    /// - Returns: A future of what `operation` returns or throws. It fails with ``QueueError/waitTimedOut(after:)`` if
    ///   the time limit passes.
    @discardableResult @_alwaysEmitIntoClient
    public func withPermit<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        core.enqueueTask(on: nil, QueueOptions(priority, waitTimeout, nil, .init(file, line: line))) {
            try await operation()
        }
    }

    /// Calls the asynchronous `operation` while it has a permit.
    ///
    /// The operation runs in a task that is created here, with the caller's priority and task-local values, and waits
    /// for the permit. Cancelling the future completes it immediately and cancels the task; the permit is released when
    /// the task has completed, so a task that ignores the cancellation keeps it. An operation that is cancelled while
    /// it waits is never called.
    ///
    /// - Parameters:
    ///   - scheduler: The task's executor, whose clock measures the time limit.
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The longest time that it may wait for the permit; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with a permit, which it has until it has returned.
    /// - Returns: A future of what `operation` returns or throws. It fails with ``QueueError/waitTimedOut(after:)`` if
    ///   the time limit passes.
    @discardableResult @_alwaysEmitIntoClient
    public func withPermit<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T
    ) -> Future<T> {
        core.enqueueTask(on: scheduler, QueueOptions(priority, waitTimeout, nil, .init(file, line: line)), operation)
    }
}

extension FutureMutex {
    /// Calls the asynchronous `operation` while it has the lock.
    ///
    /// The operation runs in a task that is created here, with the caller's priority and task-local values, and waits
    /// for the lock. Cancelling the future completes it immediately and cancels the task; the lock is released when the
    /// task has completed, so a task that ignores the cancellation keeps it. An operation that is cancelled while it
    /// waits is never called.
    ///
    /// - Parameters:
    ///   - waitTimeout: The longest time that it may wait for the lock; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the lock, which it has until it has returned. It runs on the closure's actor, or else
    ///     on the concurrent pool.
    /// - Returns: A future of what `operation` returns or throws. It fails with ``QueueError/waitTimedOut(after:)`` if
    ///   the time limit passes.
    @discardableResult @_alwaysEmitIntoClient
    public func withLock<T: Sendable>(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        core.enqueueTask(on: nil, QueueOptions(.normal, waitTimeout, nil, .init(file, line: line))) {
            try await operation()
        }
    }

    /// Calls the asynchronous `operation` while it has the lock.
    ///
    /// The operation runs in a task that is created here, with the caller's priority and task-local values, and waits
    /// for the lock. Cancelling the future completes it immediately and cancels the task; the lock is released when the
    /// task has completed, so a task that ignores the cancellation keeps it. An operation that is cancelled while it
    /// waits is never called.
    ///
    /// - Parameters:
    ///   - scheduler: The task's executor, whose clock measures the time limit.
    ///   - waitTimeout: The longest time that it may wait for the lock; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the lock, which it has until it has returned.
    /// - Returns: A future of what `operation` returns or throws. It fails with ``QueueError/waitTimedOut(after:)`` if
    ///   the time limit passes.
    @discardableResult @_alwaysEmitIntoClient
    public func withLock<T: Sendable>(
        on scheduler: Scheduler, waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T
    ) -> Future<T> {
        core.enqueueTask(on: scheduler, QueueOptions(.normal, waitTimeout, nil, .init(file, line: line)), operation)
    }
}

extension FutureReadWriteLock {
    /// Calls the asynchronous `operation` while it has the lock for reading, concurrently with other readers.
    ///
    /// The operation runs in a task that is created here, with the caller's priority and task-local values, and waits
    /// for the lock. Cancelling the future completes it immediately and cancels the task; the lock is released when the
    /// task has completed, so a task that ignores the cancellation keeps it. An operation that is cancelled while it
    /// waits is never called.
    ///
    /// - Parameters:
    ///   - waitTimeout: The longest time that it may wait for the lock; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the lock, which it has until it has returned. It runs on the closure's actor, or else
    ///     on the concurrent pool.
    /// - Returns: A future of what `operation` returns or throws. It fails with ``QueueError/waitTimedOut(after:)`` if
    ///   the time limit passes.
    @discardableResult @_alwaysEmitIntoClient
    public func withReaderLock<T: Sendable>(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        core.enqueueTask(on: nil, QueueOptions(.normal, waitTimeout, nil, .init(file, line: line))) {
            try await operation()
        }
    }

    /// Calls the asynchronous `operation` while it has the lock for reading, concurrently with other readers.
    ///
    /// The operation runs in a task that is created here, with the caller's priority and task-local values, and waits
    /// for the lock. Cancelling the future completes it immediately and cancels the task; the lock is released when the
    /// task has completed, so a task that ignores the cancellation keeps it. An operation that is cancelled while it
    /// waits is never called.
    ///
    /// - Parameters:
    ///   - scheduler: The task's executor, whose clock measures the time limit.
    ///   - waitTimeout: The longest time that it may wait for the lock; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the lock, which it has until it has returned.
    /// - Returns: A future of what `operation` returns or throws. It fails with ``QueueError/waitTimedOut(after:)`` if
    ///   the time limit passes.
    @discardableResult @_alwaysEmitIntoClient
    public func withReaderLock<T: Sendable>(
        on scheduler: Scheduler, waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T
    ) -> Future<T> {
        core.enqueueTask(on: scheduler, QueueOptions(.normal, waitTimeout, nil, .init(file, line: line)), operation)
    }

    /// Calls the asynchronous `operation` while it has the lock for writing, exclusively.
    ///
    /// The operation runs in a task that is created here, with the caller's priority and task-local values, and waits
    /// for the lock. Cancelling the future completes it immediately and cancels the task; the lock is released when the
    /// task has completed, so a task that ignores the cancellation keeps it. An operation that is cancelled while it
    /// waits is never called.
    ///
    /// - Parameters:
    ///   - waitTimeout: The longest time that it may wait for the lock; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the lock, which it has until it has returned. It runs on the closure's actor, or else
    ///     on the concurrent pool.
    /// - Returns: A future of what `operation` returns or throws. It fails with ``QueueError/waitTimedOut(after:)`` if
    ///   the time limit passes.
    @discardableResult @_alwaysEmitIntoClient
    public func withWriterLock<T: Sendable>(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        core.enqueueTask(on: nil, .writing(waitTimeout, .init(file, line: line))) { try await operation() }
    }

    /// Calls the asynchronous `operation` while it has the lock for writing, exclusively.
    ///
    /// The operation runs in a task that is created here, with the caller's priority and task-local values, and waits
    /// for the lock. Cancelling the future completes it immediately and cancels the task; the lock is released when the
    /// task has completed, so a task that ignores the cancellation keeps it. An operation that is cancelled while it
    /// waits is never called.
    ///
    /// - Parameters:
    ///   - scheduler: The task's executor, whose clock measures the time limit.
    ///   - waitTimeout: The longest time that it may wait for the lock; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called with the lock, which it has until it has returned.
    /// - Returns: A future of what `operation` returns or throws. It fails with ``QueueError/waitTimedOut(after:)`` if
    ///   the time limit passes.
    @discardableResult @_alwaysEmitIntoClient
    public func withWriterLock<T: Sendable>(
        on scheduler: Scheduler, waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T
    ) -> Future<T> {
        core.enqueueTask(on: scheduler, .writing(waitTimeout, .init(file, line: line)), operation)
    }
}
