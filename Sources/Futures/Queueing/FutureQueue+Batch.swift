// enqueueBatch: several operations as one.

extension FutureQueue {
    /// Enqueues several operations as one: `operation` is called with a queue of its own, which has the same resource.
    ///
    ///     queue.enqueueBatch { batch in
    ///         batch.enqueue { file in file.append(header) }
    ///         return batch.enqueue { file in file.append(body) }
    ///     }
    ///
    /// The batch keeps its turn until the future that `operation` returned has completed and the batch's queue is
    /// empty; then that queue is closed. If the batch fails, operations that wait in its queue fail with the same
    /// error, and those that run continue to their end. If the batch is cancelled, those are cancelled too. A
    /// repetition has a new queue.
    ///
    /// - Parameters:
    ///   - maxConcurrentCount: The maximum number of the batch's operations that run concurrently.
    ///   - priority: The batch's precedence among the operations that wait.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Runs on the closure's actor, or else on the queue's `executeOn:` scheduler, or else on the
    ///     current scheduler. An error that it throws fails the batch.
    /// - Returns: A future of the result of the future that `operation` returns. It completes when the batch does. It
    ///   fails with a ``QueueError`` if the queue is full, and with the queue's error if that is closed or aborted.
    /// - Precondition: `maxConcurrentCount` is at least 1.
    @_alwaysEmitIntoClient @discardableResult
    public func enqueueBatch<T: Sendable>(
        maxConcurrentCount: Int = 1, priority: QueuePriority = .normal, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue) throws -> Future<T>
    ) -> Future<T> {
        let isIsolated = operation.isolation != nil
        let (inferred, operation) = isolated(operation)
        let scheduler = core.scheduler(inferred: inferred, isIsolated: isIsolated)
        return core.enqueueBatch(
            on: scheduler, LineLimits(maxConcurrentCount, file: file, line: line),
            QueueOptions(priority, nil, nil, .init(file, line: line)), operation)
    }

    /// Enqueues several operations as one: `operation` is called on `scheduler` with a queue of its own, which has the
    /// same resource.
    ///
    ///     queue.enqueueBatch { batch in
    ///         batch.enqueue { file in file.append(header) }
    ///         return batch.enqueue { file in file.append(body) }
    ///     }
    ///
    /// The batch keeps its turn until the future that `operation` returned has completed and the batch's queue is
    /// empty; then that queue is closed. If the batch fails, operations that wait in its queue fail with the same
    /// error, and those that run continue to their end. If the batch is cancelled, those are cancelled too. A
    /// repetition has a new queue.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that `operation` is called on.
    ///   - maxConcurrentCount: The maximum number of the batch's operations that run concurrently.
    ///   - priority: The batch's precedence among the operations that wait.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: An error that it throws fails the batch.
    /// - Returns: A future of the result of the future that `operation` returns. It completes when the batch does. It
    ///   fails with a ``QueueError`` if the queue is full, and with the queue's error if that is closed or aborted.
    /// - Precondition: `maxConcurrentCount` is at least 1.
    @_alwaysEmitIntoClient @discardableResult
    public func enqueueBatch<T: Sendable>(
        on scheduler: Scheduler, maxConcurrentCount: Int = 1, priority: QueuePriority = .normal,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (FutureQueue) throws -> Future<T>
    ) -> Future<T> {
        core.enqueueBatch(
            on: scheduler, LineLimits(maxConcurrentCount, file: file, line: line),
            QueueOptions(priority, nil, nil, .init(file, line: line)), operation)
    }
}
