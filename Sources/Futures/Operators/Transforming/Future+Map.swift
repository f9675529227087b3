// map: futures of what a closure returns.

extension Future {
    /// A future of what `transform` returns for this one's value; a throw is a failure, and errors pass by.
    @inlinable
    public consuming func map<T: Sendable>(
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (Value) throws -> T
    ) -> Future<T> {
        let (scheduler, transform) = place(transform)
        return map(on: scheduler, transform)
    }

    /// The same, with `transform` called on `scheduler`.
    @inlinable
    public consuming func map<T: Sendable>(
        on scheduler: Scheduler, _ transform: @escaping @Sendable (Value) throws -> T
    ) -> Future<T> {
        Future<T>(
            node: .step(from: node, on: scheduler, .values, Closure(transform)) { node, _ in
                let source = node.arrived
                guard source.isSuccess else { return node.finish(error: source.error) }
                node.finish { try node.closure.body(Value.self, T.self)(source.value(as: Value.self)) }
            })
    }

    /// A future of what `transform` returns for this one's value or error; a throw is a failure.
    @inlinable
    public consuming func mapResult<T: Sendable>(
        @_inheritActorContext
        _ transform: @escaping @Sendable @isolated(any) (Result<Value, any Error>) throws -> T
    ) -> Future<T> {
        let (scheduler, transform) = place(transform)
        return mapResult(on: scheduler, transform)
    }

    /// The same, with `transform` called on `scheduler`.
    @inlinable
    public consuming func mapResult<T: Sendable>(
        on scheduler: Scheduler, _ transform: @escaping @Sendable (Result<Value, any Error>) throws -> T
    ) -> Future<T> {
        Future<T>(
            node: .step(from: node, on: scheduler, .results, Closure(transform)) { node, _ in
                let source = node.arrived
                node.finish {
                    try node.closure.body(Result<Value, any Error>.self, T.self)(source.result(as: Value.self))
                }
            })
    }

    /// A future that recovers from an error with what `transform` returns for it; values pass by.
    ///
    /// A cancellation that comes from above is an error like others; one from below calls nothing.
    @inlinable
    public consuming func mapError(
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (any Error) throws -> Value
    ) -> Future {
        let (scheduler, transform) = place(mending: transform)
        return mapError(on: scheduler, transform)
    }

    /// The same, with `transform` called on `scheduler`.
    @inlinable
    public consuming func mapError(
        on scheduler: Scheduler, _ transform: @escaping @Sendable (any Error) throws -> Value
    ) -> Future {
        Future(
            node: .step(from: node, on: scheduler, .errors, .mending(transform)) { node, _ in
                let source = node.arrived
                guard !source.isSuccess else { return node.finish(source.value(as: Value.self)) }
                node.finish { try node.closure.mending(Value.self)(source.error) }
            })
    }
}
