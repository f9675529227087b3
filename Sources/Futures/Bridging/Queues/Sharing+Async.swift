// SingleFlight and FutureCache: asynchronous operations.

extension SingleFlight {
    /// Like ``future(for:_:)``, with an asynchronous operation, which runs in a task. When all callers have cancelled,
    /// the task is cancelled.
    public func run(
        for key: Key, @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) () async throws -> Value
    ) -> Future<Value> {
        future(on: .inPlace, for: key) { Future(task: operation) }
    }
}

extension FutureCache {
    /// Like ``future(for:_:)``, with an asynchronous operation, which runs in a task: see ``SingleFlight/run(for:_:)``.
    public func run(
        for key: Key, @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) () async throws -> Value
    ) -> Future<Value> {
        future(on: .inPlace, for: key) { Future(task: operation) }
    }
}
