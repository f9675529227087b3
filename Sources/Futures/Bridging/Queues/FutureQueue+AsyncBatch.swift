// FutureQueue: asynchronous batches.

extension FutureQueue {
    /// Adds an asynchronous operation that gets a queue of its own with the same resource, for operations that belong
    /// together.
    ///
    ///     database.runBatch { statements in
    ///         try await statements.run { try await $0.run("BEGIN") }.value
    ///         …
    ///     }
    ///
    /// It runs in a task that begins here and waits, as that of `run` does. Its turn is over when the task is and its
    /// queue is empty; that closes then. If it throws, what has not begun in its queue fails with that error, and what has
    /// begun goes on to its end. Cancelling the future completes it at once, cancels the task and what is in its queue,
    /// and closes that. A repetition has a new queue.
    @discardableResult
    public func runBatch<T: Sendable>(
        maxConcurrentCount: Int = 1, priority: QueuePriority = .normal, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue) async throws -> T
    ) -> Future<T> {
        station.enqueueBatchTask(
            on: operation.isolation == nil ? station.executeOn : nil,
            LineLimits(maxConcurrentCount, file: file, line: line),
            Terms(priority.traits, origin: .init(file, line: line)), operation)
    }

    /// The same, with `scheduler` as the task's executor.
    @discardableResult
    public func runBatch<T: Sendable>(
        on scheduler: Scheduler, maxConcurrentCount: Int = 1, priority: QueuePriority = .normal,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (FutureQueue) async throws -> T
    ) -> Future<T> {
        station.enqueueBatchTask(
            on: scheduler, LineLimits(maxConcurrentCount, file: file, line: line),
            Terms(priority.traits, origin: .init(file, line: line)), operation)
    }
}

extension Station {
    fileprivate func enqueueBatchTask<T: Sendable>(
        on executor: Scheduler?, _ limits: LineLimits, _ terms: Terms,
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue<Resource>) async throws -> T
    ) -> Future<T> {
        queued(on: executor, operation) { [self] operation in
            enqueueHeldBatch(on: executor ?? .inPlace, limits, terms, operation)
        }
    }
}
