// runSync: synchronous operations, whose turn ends when their closure has returned.

extension FutureQueue {
    /// Enqueues a synchronous operation, which is called with the resource when its turn has come.
    ///
    /// Its turn ends when the closure has returned. Enqueuing does not block the caller, and needs no task, as `run`
    /// does. A closure that returns a future does not compile here: use `enqueue` for it.
    ///
    /// - Parameters:
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Runs on the closure's actor, or else on the queue's `executeOn:` scheduler, or else on the
    ///     current scheduler, whose clock measures the time limit. An error that it throws fails the returned future.
    /// - Returns: A future of the value that `operation` returns. It fails with a ``QueueError`` if the queue is full
    ///   or the time limit passes, and with the queue's error if that is closed or aborted.
    @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
    public func runSync<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) throws -> T
    ) -> Future<T> {
        let isIsolated = operation.isolation != nil
        let (inferred, operation) = isolated(operation)
        let options = QueueOptions(priority, waitTimeout, nil, .init(file, line: line))
        return core.run(on: core.scheduler(inferred: inferred, isIsolated: isIsolated), options, operation)
    }

    /// Enqueues a synchronous operation, which is called with the resource on `scheduler` when its turn has come.
    ///
    /// Its turn ends when the closure has returned. Enqueuing does not block the caller, and needs no task, as `run`
    /// does. A closure that returns a future does not compile here: use `enqueue` for it.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that `operation` is called on. Its clock measures the time limit.
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: An error that it throws fails the returned future.
    /// - Returns: A future of the value that `operation` returns. It fails with a ``QueueError`` if the queue is full
    ///   or the time limit passes, and with the queue's error if that is closed or aborted.
    @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
    public func runSync<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Resource) throws -> T
    ) -> Future<T> {
        core.run(on: scheduler, QueueOptions(priority, waitTimeout, nil, .init(file, line: line)), operation)
    }
}

extension FutureQueue<Void> {
    /// Enqueues a synchronous operation, which is called when its turn has come.
    ///
    /// Its turn ends when the closure has returned. Enqueuing does not block the caller, and needs no task, as `run`
    /// does. A closure that returns a future does not compile here: use `enqueue` for it.
    ///
    /// - Parameters:
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Runs on the closure's actor, or else on the queue's `executeOn:` scheduler, or else on the
    ///     current scheduler, whose clock measures the time limit. An error that it throws fails the returned future.
    /// - Returns: A future of the value that `operation` returns. It fails with a ``QueueError`` if the queue is full
    ///   or the time limit passes, and with the queue's error if that is closed or aborted.
    @_alwaysEmitIntoClient @discardableResult
    public func runSync<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> T
    ) -> Future<T> {
        let isIsolated = operation.isolation != nil
        let (inferred, operation) = isolated(operation)
        let options = QueueOptions(priority, waitTimeout, nil, .init(file, line: line))
        return core.run(on: core.scheduler(inferred: inferred, isIsolated: isIsolated), options, operation)
    }

    /// Enqueues a synchronous operation, which is called on `scheduler` when its turn has come.
    ///
    /// Its turn ends when the closure has returned. Enqueuing does not block the caller, and needs no task, as `run`
    /// does. A closure that returns a future does not compile here: use `enqueue` for it.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that `operation` is called on. Its clock measures the time limit.
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: An error that it throws fails the returned future.
    /// - Returns: A future of the value that `operation` returns. It fails with a ``QueueError`` if the queue is full
    ///   or the time limit passes, and with the queue's error if that is closed or aborted.
    @_alwaysEmitIntoClient @discardableResult
    public func runSync<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () throws -> T
    ) -> Future<T> {
        core.run(on: scheduler, QueueOptions(priority, waitTimeout, nil, .init(file, line: line)), operation)
    }
}
