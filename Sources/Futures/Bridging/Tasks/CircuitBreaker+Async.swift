// CircuitBreaker: asynchronous operations.

extension CircuitBreaker {
    /// Returns a future of what an asynchronous operation returns or throws, or of an ``OpenError`` without calling it.
    ///
    /// Use `future` for a closure that returns a future. A repetition asks again.
    ///
    /// - Parameter operation: Runs in a task, on the closure's actor, or else on the concurrent pool.
    @_alwaysEmitIntoClient
    public func run<T: Sendable>(
        @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        future(on: .inPlace, judgingOn: .inferred(from: operation.isolation)) { Future(task: operation) }
    }
}
