// runSync with a key: synchronous operations, which are over when their closure has returned.

extension KeyedFutureQueue {
    /// Calls `operation` when its turn has come: a synchronous operation, which is over when it returns.
    ///
    /// This does not wait for it, and it needs no task, as `run` does. The future has the value that it returns, or
    /// fails with what it throws; with ``QueueError/waitedTooLong(_:)``, if it has not been called after
    /// `waitingAtMost`.
    @inlinable @discardableResult
    public func runSync<T: Sendable>(
        for key: Key, priority: QueuePriority = .normal, waitingAtMost: Duration? = nil, file: StaticString = #fileID,
        line lineNumber: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> T
    ) -> Future<T> {
        let (scheduler, operation) = isolated(operation)
        let options = QueueOptions(priority, waitingAtMost, nil, .init(file, line: lineNumber))
        return core.run(on: scheduler, options, operation, in: core.line.lane(of: key))
    }

    /// The same, with `operation` called on `scheduler`.
    @inlinable @discardableResult
    public func runSync<T: Sendable>(
        on scheduler: Scheduler, for key: Key, priority: QueuePriority = .normal, waitingAtMost: Duration? = nil,
        file: StaticString = #fileID,
        line lineNumber: UInt = #line,
        _ operation: @escaping @Sendable () throws -> T
    ) -> Future<T> {
        core.run(
            on: scheduler, QueueOptions(priority, waitingAtMost, nil, .init(file, line: lineNumber)), operation,
            in: core.line.lane(of: key))
    }
}
