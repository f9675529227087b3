// ResourcePool: asynchronous operations.

extension ResourcePool {
    /// Calls `operation` with a resource once there is one, which is its own until it has returned.
    ///
    /// It runs in a task that begins here and waits. Cancelling the future cancels the task, which keeps the resource until
    /// it is over.
    @discardableResult
    public func withResource<T: Sendable>(
        priority: QueuePriority = .normal, waitingAtMost: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T
    ) -> Future<T> {
        visit(on: nil, Terms(priority, waitingAtMost, nil, .init(file, line: line)), operation)
    }

    /// The same, with `scheduler` as the task's executor.
    @discardableResult
    public func withResource<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitingAtMost: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Resource) async throws -> T
    ) -> Future<T> {
        visit(on: scheduler, Terms(priority, waitingAtMost, nil, .init(file, line: line)), operation)
    }

    private func visit<T: Sendable>(
        on executor: Scheduler?, _ terms: Terms,
        _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T
    ) -> Future<T> {
        queued(on: executor, operation) { [pool] operation in
            pool.visitHeld(on: executor ?? .inPlace, terms, operation)
        }
    }
}
