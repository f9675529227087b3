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
        let terms = Terms(priority, waitingAtMost, nil, .init(file, line: line))
        return queued(on: nil, operation) { [pool] operation in
            Future(node: pool.visit(terms) { $0.useHeld(on: .immediate, operation) })
        }
    }
}
