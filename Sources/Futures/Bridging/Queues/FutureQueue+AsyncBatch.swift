// FutureQueue: asynchronous batches.

extension FutureQueue {
    /// Enqueues an asynchronous operation that gets a queue of its own with the same resource, for operations that
    /// belong together.
    ///
    ///     database.runBatch { statements in
    ///         try await statements.run { try await $0.begin() }.value
    ///         try await statements.run { try await $0.insert(order) }.value
    ///         try await statements.run { try await $0.commit() }.value
    ///     }
    ///
    /// The turn lasts until the task has completed and the batch's queue is empty; that queue is closed then. If the
    /// operation throws, the operations that wait in the batch's queue fail with that error, and those that are running
    /// continue. Cancelling the future completes it immediately, cancels the task and the operations in the batch's
    /// queue, and closes that. A repetition has a new queue.
    ///
    /// The operation runs in a task that is created here, with the caller's priority and task-local values, and waits
    /// for its turn. If it is cancelled while it waits, it is never called.
    ///
    /// - Parameters:
    ///   - maxConcurrentCount: How many operations of the batch's queue run concurrently, at most.
    ///   - priority: Its precedence among the operations that wait.
    ///   - file: The file named by the trap if `maxConcurrentCount` is less than 1, and in the error of a deadlock.
    ///   - line: The line named by the trap if `maxConcurrentCount` is less than 1, and in the error of a deadlock.
    ///   - operation: Called with the batch's queue when its turn has come. It runs on the closure's actor, or else
    ///     with the queue's `executeOn:` scheduler as its executor, or else on the concurrent pool.
    /// - Returns: A future of what `operation` returns or throws, which completes when the turn ends. It fails with a
    ///   ``QueueError`` if the queue is full, and with the queue's error if that is closed or aborted.
    /// - Precondition: `maxConcurrentCount` is at least 1.
    @discardableResult @_alwaysEmitIntoClient
    public func runBatch<T: Sendable>(
        maxConcurrentCount: Int = 1, priority: QueuePriority = .normal, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue) async throws -> T
    ) -> Future<T> {
        core.enqueueBatchTask(
            on: operation.isolation == nil ? core.executeOn : nil,
            LineLimits(maxConcurrentCount, file: file, line: line),
            QueueOptions(priority, nil, nil, .init(file, line: line)), operation)
    }

    /// Enqueues an asynchronous operation that gets a queue of its own with the same resource, for operations that
    /// belong together.
    ///
    /// The turn lasts until the task has completed and the batch's queue is empty; that queue is closed then. If the
    /// operation throws, the operations that wait in the batch's queue fail with that error, and those that are running
    /// continue. Cancelling the future completes it immediately, cancels the task and the operations in the batch's
    /// queue, and closes that. A repetition has a new queue.
    ///
    /// The operation runs in a task that is created here, with the caller's priority and task-local values, and waits
    /// for its turn. If it is cancelled while it waits, it is never called.
    ///
    /// - Parameters:
    ///   - scheduler: The task's executor.
    ///   - maxConcurrentCount: How many operations of the batch's queue run concurrently, at most.
    ///   - priority: Its precedence among the operations that wait.
    ///   - file: The file named by the trap if `maxConcurrentCount` is less than 1, and in the error of a deadlock.
    ///   - line: The line named by the trap if `maxConcurrentCount` is less than 1, and in the error of a deadlock.
    ///   - operation: Called with the batch's queue when its turn has come.
    /// - Returns: A future of what `operation` returns or throws, which completes when the turn ends. It fails with a
    ///   ``QueueError`` if the queue is full, and with the queue's error if that is closed or aborted.
    /// - Precondition: `maxConcurrentCount` is at least 1.
    @discardableResult @_alwaysEmitIntoClient
    public func runBatch<T: Sendable>(
        on scheduler: Scheduler, maxConcurrentCount: Int = 1, priority: QueuePriority = .normal,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (FutureQueue) async throws -> T
    ) -> Future<T> {
        core.enqueueBatchTask(
            on: scheduler, LineLimits(maxConcurrentCount, file: file, line: line),
            QueueOptions(priority, nil, nil, .init(file, line: line)), operation)
    }
}

extension QueueCore {
    @usableFromInline
    func enqueueBatchTask<T: Sendable>(
        on executor: Scheduler?, _ limits: LineLimits, _ options: QueueOptions,
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue<Resource>) async throws -> T
    ) -> Future<T> {
        queued(on: executor, operation) { [self] operation in
            enqueueBatchWithTurn(on: .starting(for: executor), limits, options, operation)
        }
    }
}
