// run: an asynchronous closure that is called with a future's value.

extension Future {
    /// Returns a future of what an asynchronous closure returns for this future's value, or throws.
    ///
    ///     user.run { user in try await friends(of: user) }
    ///
    /// An error of this future is passed on. Use `flatMap` for a closure that returns a future, and `map` for a
    /// synchronous closure, which needs no task. Cancelling the future completes it immediately and cancels the task.
    ///
    /// - Parameter operation: Runs in a task, on the closure's actor, or else on the concurrent pool, with the priority of
    ///   the code that completes this future.
    @_alwaysEmitIntoClient
    public consuming func run<T: Sendable>(
        @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) (Value) async throws -> T
    ) -> Future<T> {
        flatMap(on: .inPlace) { value in Future<T>(task: { try await operation(value) }) }
    }
}
