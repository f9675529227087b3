// runSync: synchronous operations, which are over when their closure has returned.

extension FutureQueue {
    /// Calls `operation` with the resource when its turn has come: a synchronous operation, which is over when it
    /// returns.
    ///
    /// This does not wait for it, and it needs no task, as `run` does. The future has the value that it returns, or
    /// fails with what it throws; with ``QueueError/waitedTooLong(_:)``, if it has not been called after
    /// `waitingAtMost`.
    @inlinable @_disfavoredOverload @discardableResult
    public func runSync<T: Sendable>(
        priority: QueuePriority = .normal, waitingAtMost: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) throws -> T
    ) -> Future<T> {
        let isIsolated = operation.isolation != nil
        let (inferred, operation) = isolated(operation)
        let options = QueueOptions(priority, waitingAtMost, nil, .init(file, line: line))
        return core.run(on: core.scheduler(inferred: inferred, isIsolated: isIsolated), options, operation)
    }

    /// The same, with `operation` called on `scheduler`.
    @inlinable @_disfavoredOverload @discardableResult
    public func runSync<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitingAtMost: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Resource) throws -> T
    ) -> Future<T> {
        core.run(on: scheduler, QueueOptions(priority, waitingAtMost, nil, .init(file, line: line)), operation)
    }
}

extension FutureQueue<Void> {
    /// Calls `operation` when its turn has come: a synchronous operation, which is over when it returns.
    @inlinable @discardableResult
    public func runSync<T: Sendable>(
        priority: QueuePriority = .normal, waitingAtMost: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> T
    ) -> Future<T> {
        let isIsolated = operation.isolation != nil
        let (inferred, operation) = isolated(operation)
        let options = QueueOptions(priority, waitingAtMost, nil, .init(file, line: line))
        return core.run(on: core.scheduler(inferred: inferred, isIsolated: isIsolated), options, operation)
    }

    /// The same, with `operation` called on `scheduler`.
    @inlinable @discardableResult
    public func runSync<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitingAtMost: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () throws -> T
    ) -> Future<T> {
        core.run(on: scheduler, QueueOptions(priority, waitingAtMost, nil, .init(file, line: line)), operation)
    }
}
