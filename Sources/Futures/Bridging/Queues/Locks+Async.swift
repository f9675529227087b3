// Semaphores and locks: asynchronous operations.

extension FutureSemaphore {
    /// Calls `operation` once there is a permit, which is taken until it has returned.
    ///
    /// It runs in a task that begins here and waits. Cancelling the future cancels the task, which keeps the permit until
    /// it is over.
    @discardableResult
    public func withPermit<T: Sendable>(
        priority: QueuePriority = .normal, waitingAtMost: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        station.enqueueTask(on: nil, Terms(priority, waitingAtMost, nil, .init(file, line: line))) {
            try await operation()
        }
    }

    /// The same, with `scheduler` as the task's executor.
    @discardableResult
    public func withPermit<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitingAtMost: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T
    ) -> Future<T> {
        station.enqueueTask(on: scheduler, Terms(priority, waitingAtMost, nil, .init(file, line: line)), operation)
    }
}

extension FutureMutex {
    /// Calls `operation` once nobody has the lock, which is taken until it has returned.
    ///
    /// It runs in a task that begins here and waits. Cancelling the future cancels the task, which keeps the lock until it
    /// is over.
    @discardableResult
    public func withLock<T: Sendable>(
        waitingAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        station.enqueueTask(on: nil, Terms(.normal, waitingAtMost, nil, .init(file, line: line))) {
            try await operation()
        }
    }

    /// The same, with `scheduler` as the task's executor.
    @discardableResult
    public func withLock<T: Sendable>(
        on scheduler: Scheduler, waitingAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T
    ) -> Future<T> {
        station.enqueueTask(on: scheduler, Terms(.normal, waitingAtMost, nil, .init(file, line: line)), operation)
    }
}

extension FutureReadWriteLock {
    /// Calls `operation` beside other readers, which keeps off writers until it has returned.
    ///
    /// It runs in a task that begins here and waits. Cancelling the future cancels the task, which keeps the lock until it
    /// is over.
    @discardableResult
    public func withReaderLock<T: Sendable>(
        waitingAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        station.enqueueTask(on: nil, Terms(.normal, waitingAtMost, nil, .init(file, line: line))) {
            try await operation()
        }
    }

    /// The same, with `scheduler` as the task's executor.
    @discardableResult
    public func withReaderLock<T: Sendable>(
        on scheduler: Scheduler, waitingAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T
    ) -> Future<T> {
        station.enqueueTask(on: scheduler, Terms(.normal, waitingAtMost, nil, .init(file, line: line)), operation)
    }

    /// Calls `operation` alone, which keeps off all others until it has returned.
    ///
    /// It runs in a task, as that of `withReaderLock`.
    @discardableResult
    public func withWriterLock<T: Sendable>(
        waitingAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        station.enqueueTask(on: nil, .writing(waitingAtMost, .init(file, line: line))) { try await operation() }
    }

    /// The same, with `scheduler` as the task's executor.
    @discardableResult
    public func withWriterLock<T: Sendable>(
        on scheduler: Scheduler, waitingAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T
    ) -> Future<T> {
        station.enqueueTask(on: scheduler, .writing(waitingAtMost, .init(file, line: line)), operation)
    }
}
