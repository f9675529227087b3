// FutureQueue: asynchronous operations.

extension FutureQueue {
    /// Enqueues an asynchronous operation, which is called with the resource when its turn has come.
    ///
    ///     queue.run { file in try await file.append(line) }
    ///
    /// Its turn lasts until the closure has returned. A closure that returns a future does not compile here: use
    /// `enqueue` for it, and `runSync` for a synchronous closure, which needs no task.
    ///
    /// The operation runs in a task that is created here, with the caller's priority and task-local values, and waits
    /// for its turn. Cancelling the future completes it immediately and cancels the task; the turn lasts until the task
    /// has completed, so a task that ignores the cancellation keeps the resource. An operation that is cancelled while
    /// it waits is never called. If the task waits for an operation behind it in the same queue, both stay pending: the
    /// queue cannot detect this deadlock.
    ///
    /// - Parameters:
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The longest time that it may wait for its turn; nil for no limit.
    ///   - runTimeout: The longest time that it may run; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called when its turn has come. It runs on the closure's actor, or else with the queue's
    ///     `executeOn:` scheduler as its executor, or else on the concurrent pool.
    /// - Returns: A future of what `operation` returns or throws. It fails with a ``QueueError`` if the queue is full
    ///   or a time limit passes, and with the queue's error if that is closed or aborted.
    @_disfavoredOverload @discardableResult @_alwaysEmitIntoClient
    public func run<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, runTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T
    ) -> Future<T> {
        core.enqueueTask(
            on: operation.isolation == nil ? core.executeOn : nil,
            QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: line)), operation)
    }

    /// Enqueues an asynchronous operation, which is called with the resource when its turn has come.
    ///
    /// Its turn lasts until the closure has returned. A closure that returns a future does not compile here: use
    /// `enqueue` for it, and `runSync` for a synchronous closure, which needs no task.
    ///
    /// The operation runs in a task that is created here, with the caller's priority and task-local values, and waits
    /// for its turn. Cancelling the future completes it immediately and cancels the task; the turn lasts until the task
    /// has completed, so a task that ignores the cancellation keeps the resource. An operation that is cancelled while
    /// it waits is never called. If the task waits for an operation behind it in the same queue, both stay pending: the
    /// queue cannot detect this deadlock.
    ///
    /// - Parameters:
    ///   - scheduler: The task's executor, whose clock measures the time limits.
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The longest time that it may wait for its turn; nil for no limit.
    ///   - runTimeout: The longest time that it may run; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called when its turn has come.
    /// - Returns: A future of what `operation` returns or throws. It fails with a ``QueueError`` if the queue is full
    ///   or a time limit passes, and with the queue's error if that is closed or aborted.
    @_disfavoredOverload @discardableResult @_alwaysEmitIntoClient
    public func run<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        runTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Resource) async throws -> T
    ) -> Future<T> {
        core.enqueueTask(
            on: scheduler, QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: line)), operation)
    }
}

extension FutureQueue<Void> {
    /// Enqueues an asynchronous operation, which is called when its turn has come.
    ///
    /// Its turn lasts until the closure has returned. A closure that returns a future does not compile here: use
    /// `enqueue` for it, and `runSync` for a synchronous closure, which needs no task.
    ///
    /// The operation runs in a task that is created here, with the caller's priority and task-local values, and waits
    /// for its turn. Cancelling the future completes it immediately and cancels the task; the turn lasts until the task
    /// has completed, so a task that ignores the cancellation keeps its turn. An operation that is cancelled while it
    /// waits is never called. If the task waits for an operation behind it in the same queue, both stay pending: the
    /// queue cannot detect this deadlock.
    ///
    /// - Parameters:
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The longest time that it may wait for its turn; nil for no limit.
    ///   - runTimeout: The longest time that it may run; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called when its turn has come. It runs on the closure's actor, or else with the queue's
    ///     `executeOn:` scheduler as its executor, or else on the concurrent pool.
    /// - Returns: A future of what `operation` returns or throws. It fails with a ``QueueError`` if the queue is full
    ///   or a time limit passes, and with the queue's error if that is closed or aborted.
    @discardableResult @_alwaysEmitIntoClient
    public func run<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, runTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        core.enqueueTask(
            on: operation.isolation == nil ? core.executeOn : nil,
            QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: line))
        ) { try await operation() }
    }

    /// Enqueues an asynchronous operation, which is called when its turn has come.
    ///
    /// Its turn lasts until the closure has returned. A closure that returns a future does not compile here: use
    /// `enqueue` for it, and `runSync` for a synchronous closure, which needs no task.
    ///
    /// The operation runs in a task that is created here, with the caller's priority and task-local values, and waits
    /// for its turn. Cancelling the future completes it immediately and cancels the task; the turn lasts until the task
    /// has completed, so a task that ignores the cancellation keeps its turn. An operation that is cancelled while it
    /// waits is never called. If the task waits for an operation behind it in the same queue, both stay pending: the
    /// queue cannot detect this deadlock.
    ///
    /// - Parameters:
    ///   - scheduler: The task's executor, whose clock measures the time limits.
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The longest time that it may wait for its turn; nil for no limit.
    ///   - runTimeout: The longest time that it may run; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Called when its turn has come.
    /// - Returns: A future of what `operation` returns or throws. It fails with a ``QueueError`` if the queue is full
    ///   or a time limit passes, and with the queue's error if that is closed or aborted.
    @discardableResult @_alwaysEmitIntoClient
    public func run<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        runTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T
    ) -> Future<T> {
        core.enqueueTask(
            on: scheduler, QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: line))
        ) { try await operation() }
    }
}

extension QueueCore {
    /// Enqueues an operation that runs in a task. The clock of its executor measures its time limits.
    @usableFromInline
    func enqueueTask<T: Sendable>(
        on executor: Scheduler?, _ options: QueueOptions,
        _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T
    ) -> Future<T> {
        queued(on: executor, operation) { [self] operation in
            enqueueWithTurn(on: .starting(for: executor), options, operation)
        }
    }
}
