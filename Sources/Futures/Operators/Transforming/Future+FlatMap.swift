// flatMap: futures of the result of the future that a closure returns.

extension Future {
    /// A future of the result of the future that `transform` returns for this one's value; errors pass by.
    ///
    /// The future that `transform` returned is cancelled with this one, if nobody else listens to it. Recursion may be
    /// endless: a step that returns the next one's future takes no stack, and its memory is given back as it goes on.
    @inlinable
    public consuming func flatMap<T: Sendable>(
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (Value) throws -> Future<T>
    ) -> Future<T> {
        let (scheduler, transform) = place(transform)
        return flatMap(on: scheduler, transform)
    }

    /// The same, with `transform` called on `scheduler`.
    @inlinable
    public consuming func flatMap<T: Sendable>(
        on scheduler: Scheduler, _ transform: @escaping @Sendable (Value) throws -> Future<T>
    ) -> Future<T> {
        Future<T>(
            node: .step(from: node, on: scheduler, .values, .following(transform)) { node, _ in
                if let inner = node.inner { return node.finish(as: inner, T.self) }
                let source = node.arrived
                guard source.isSuccess else { return node.finish(error: source.error) }
                node.follow { try node.closure.following(Value.self, T.self)(source.value(as: Value.self)) }
            })
    }

    /// A future of the result of the future that `transform` returns for this one's value or error.
    @inlinable
    public consuming func flatMapResult<T: Sendable>(
        @_inheritActorContext
        _ transform: @escaping @Sendable @isolated(any) (Result<Value, any Error>) throws -> Future<T>
    ) -> Future<T> {
        let (scheduler, transform) = place(transform)
        return flatMapResult(on: scheduler, transform)
    }

    /// The same, with `transform` called on `scheduler`.
    @inlinable
    public consuming func flatMapResult<T: Sendable>(
        on scheduler: Scheduler,
        _ transform: @escaping @Sendable (Result<Value, any Error>) throws -> Future<T>
    ) -> Future<T> {
        Future<T>(
            node: .step(from: node, on: scheduler, .results, .following(transform)) { node, _ in
                if let inner = node.inner { return node.finish(as: inner, T.self) }
                let source = node.arrived
                node.follow {
                    try node.closure.following(Result<Value, any Error>.self, T.self)(source.result(as: Value.self))
                }
            })
    }

    /// A future that recovers from an error with the future that `transform` returns for it; values pass by.
    @inlinable
    public consuming func flatMapError(
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (any Error) throws -> Future
    ) -> Future {
        let (scheduler, transform) = place(replacing: transform)
        return flatMapError(on: scheduler, transform)
    }

    /// The same, with `transform` called on `scheduler`.
    @inlinable
    public consuming func flatMapError(
        on scheduler: Scheduler, _ transform: @escaping @Sendable (any Error) throws -> Future
    ) -> Future {
        Future(
            node: .step(from: node, on: scheduler, .errors, .replacing(transform)) { node, _ in
                if let inner = node.inner { return node.finish(as: inner, Value.self) }
                let source = node.arrived
                guard !source.isSuccess else { return node.finish(source.value(as: Value.self)) }
                node.follow { try node.closure.replacing(Value.self)(source.error) }
            })
    }
}
