// enqueueBatch: several operations as one.

extension FutureQueue {
    /// Adds an operation that gets a queue of its own with the same resource, for operations that belong together.
    ///
    /// It is over when the future that it returned has completed and its queue is empty, and has its turn until then.
    /// Its queue closes with it. If it fails, what has not begun in its queue fails with that error, and what has begun
    /// goes on to its end; if it is cancelled, that is cancelled too. A repetition has a new queue.
    @inlinable @discardableResult
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

    /// The same, with `operation` called on `scheduler`.
    @inlinable @discardableResult
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
