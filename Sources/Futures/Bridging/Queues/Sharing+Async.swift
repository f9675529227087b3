// SingleFlight and FutureCache: asynchronous operations.

extension SingleFlight {
    /// Returns a future of the result of the run in progress for `key`, starting an asynchronous operation if there is
    /// none.
    ///
    /// Use `future(for:)` for a closure that returns a future. When all callers have cancelled, the task is cancelled.
    ///
    /// - Parameters:
    ///   - key: The key of the run.
    ///   - operation: Runs in a task, on the closure's actor, or else on the concurrent pool. An error that it throws
    ///     fails the run.
    public func run(
        for key: Key, @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) () async throws -> Value
    ) -> Future<Value> {
        sharing.future(on: .inPlace, for: key) { Future(task: operation) }
    }
}

extension FutureCache {
    /// Returns a future of the value for `key`, starting an asynchronous operation if it is neither cached nor being
    /// fetched.
    ///
    /// Use `future(for:)` for a closure that returns a future. When all callers have cancelled, the task is cancelled.
    ///
    /// - Parameters:
    ///   - key: The key of the value.
    ///   - operation: Fetches the value, in a task, on the closure's actor, or else on the concurrent pool. An error that
    ///     it throws fails the run.
    public func run(
        for key: Key, @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) () async throws -> Value
    ) -> Future<Value> {
        sharing.future(on: .inPlace, for: key) { Future(task: operation) }
    }
}
