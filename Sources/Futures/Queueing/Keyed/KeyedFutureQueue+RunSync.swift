// runSync with a key: synchronous operations, whose turn ends when their closure has returned.

extension KeyedFutureQueue {
    /// Enqueues a synchronous operation of a key, which is called when its turn has come.
    ///
    /// Its turn ends when the closure has returned. Enqueuing does not block the caller, and needs no task, as `run`
    /// does. A closure that returns a future does not compile here: use `enqueue` for it.
    ///
    /// - Parameters:
    ///   - key: Its key: at most `maxConcurrentCountPerKey` operations with equal keys run concurrently.
    ///   - priority: Its precedence among the operations of its key that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - lineNumber: The line in the error of a deadlock.
    ///   - operation: Runs on the closure's actor, or else on the current scheduler, whose clock measures the time
    ///     limit. An error that it throws fails the returned future.
    /// - Returns: A future of the value that `operation` returns. It fails with a ``QueueError`` if the queue is full
    ///   or the time limit passes, and with the queue's error if that is closed or aborted.
    @_alwaysEmitIntoClient @discardableResult
    public func runSync<T: Sendable>(
        for key: Key, priority: QueuePriority = .normal, waitTimeout: Duration? = nil, file: StaticString = #fileID,
        line lineNumber: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> T
    ) -> Future<T> {
        let (scheduler, operation) = isolated(operation)
        let options = QueueOptions(priority, waitTimeout, nil, .init(file, line: lineNumber))
        return core.run(on: scheduler, options, operation, in: core.line.lane(of: key))
    }

    /// Enqueues a synchronous operation of a key, which is called on `scheduler` when its turn has come.
    ///
    /// Its turn ends when the closure has returned. Enqueuing does not block the caller, and needs no task, as `run`
    /// does. A closure that returns a future does not compile here: use `enqueue` for it.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that `operation` is called on. Its clock measures the time limit.
    ///   - key: Its key: at most `maxConcurrentCountPerKey` operations with equal keys run concurrently.
    ///   - priority: Its precedence among the operations of its key that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - lineNumber: The line in the error of a deadlock.
    ///   - operation: An error that it throws fails the returned future.
    /// - Returns: A future of the value that `operation` returns. It fails with a ``QueueError`` if the queue is full
    ///   or the time limit passes, and with the queue's error if that is closed or aborted.
    @_alwaysEmitIntoClient @discardableResult
    public func runSync<T: Sendable>(
        on scheduler: Scheduler, for key: Key, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        file: StaticString = #fileID,
        line lineNumber: UInt = #line,
        _ operation: @escaping @Sendable () throws -> T
    ) -> Future<T> {
        core.run(
            on: scheduler, QueueOptions(priority, waitTimeout, nil, .init(file, line: lineNumber)), operation,
            in: core.line.lane(of: key))
    }
}
