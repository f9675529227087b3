// KeyedFutureQueue: asynchronous operations.

extension KeyedFutureQueue {
    /// Enqueues an asynchronous operation for a key, which is called when its turn has come.
    ///
    /// Its turn lasts until the closure has returned. Use `enqueue` for a closure that returns a future, and `runSync`
    /// for a synchronous closure, which needs no task.
    ///
    /// The operation runs in a task that is created here, with the caller's priority and task-local values, and waits
    /// for its turn. Cancelling the future completes it immediately and cancels the task; the turn lasts until the task
    /// has completed, so a task that ignores the cancellation keeps its turn. An operation that is cancelled while it
    /// waits is never called. If the task waits for an operation behind it in the same queue, both stay pending: the
    /// queue cannot detect this deadlock.
    ///
    /// - Parameters:
    ///   - key: Operations with the same key start in first-in, first-out order.
    ///   - priority: Its precedence among the operations of its key that wait.
    ///   - waitTimeout: The longest time that it may wait for its turn; nil for no limit.
    ///   - runTimeout: The longest time that it may run; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - lineNumber: The line in the error of a deadlock.
    ///   - operation: Called when its turn has come. It runs on the closure's actor, or else on the concurrent pool.
    /// - Returns: A future of what `operation` returns or throws. It fails with a ``QueueError`` if the queue is full
    ///   or a time limit passes, and with the queue's error if that is closed or aborted.
    @discardableResult @_alwaysEmitIntoClient
    public func run<T: Sendable>(
        for key: Key, priority: QueuePriority = .normal, waitTimeout: Duration? = nil, runTimeout: Duration? = nil,
        file: StaticString = #fileID,
        line lineNumber: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        enqueueTask(
            for: key, on: nil, QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: lineNumber)),
            operation)
    }

    /// Enqueues an asynchronous operation for a key, which is called when its turn has come.
    ///
    /// Its turn lasts until the closure has returned. Use `enqueue` for a closure that returns a future, and `runSync`
    /// for a synchronous closure, which needs no task.
    ///
    /// The operation runs in a task that is created here, with the caller's priority and task-local values, and waits
    /// for its turn. Cancelling the future completes it immediately and cancels the task; the turn lasts until the task
    /// has completed, so a task that ignores the cancellation keeps its turn. An operation that is cancelled while it
    /// waits is never called. If the task waits for an operation behind it in the same queue, both stay pending: the
    /// queue cannot detect this deadlock.
    ///
    /// - Parameters:
    ///   - scheduler: The task's executor, whose clock measures the time limits.
    ///   - key: Operations with the same key start in first-in, first-out order.
    ///   - priority: Its precedence among the operations of its key that wait.
    ///   - waitTimeout: The longest time that it may wait for its turn; nil for no limit.
    ///   - runTimeout: The longest time that it may run; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - lineNumber: The line in the error of a deadlock.
    ///   - operation: Called when its turn has come.
    /// - Returns: A future of what `operation` returns or throws. It fails with a ``QueueError`` if the queue is full
    ///   or a time limit passes, and with the queue's error if that is closed or aborted.
    @discardableResult @_alwaysEmitIntoClient
    public func run<T: Sendable>(
        on scheduler: Scheduler, for key: Key, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        runTimeout: Duration? = nil,
        file: StaticString = #fileID, line lineNumber: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T
    ) -> Future<T> {
        enqueueTask(
            for: key, on: scheduler,
            QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: lineNumber)),
            operation)
    }

    @usableFromInline
    func enqueueTask<T: Sendable>(
        for key: Key, on executor: Scheduler?, _ options: QueueOptions,
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        queued(on: executor) { (_: Void) in
            try await operation()
        } enqueue: { [core] operation in
            core.enqueueWithTurn(on: .starting(for: executor), options, in: core.line.lane(of: key), operation)
        }
    }
}
