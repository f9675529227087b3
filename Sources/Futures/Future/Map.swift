// map, mapResult, unwrap, asVoid: transforming a result with a closure that returns a value.

extension Future {
    /// Returns a future of the value that `transform` returns for this one's value. Errors are passed on.
    ///
    /// - Parameter transform: Runs on the closure's actor, or else on the current scheduler. If it throws, the returned
    ///   future fails with that error.
    @_alwaysEmitIntoClient
    public consuming func map<T: Sendable>(
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (Value) throws -> T
    ) -> Future<T> {
        map(on: .inferred(from: transform.isolation), Body(.isolated(transform)).call)
    }

    /// ``map(_:)`` with `transform` called on `scheduler`. An error passes without a hop.
    @_alwaysEmitIntoClient
    public consuming func map<T: Sendable>(
        on scheduler: Scheduler, _ transform: @escaping @Sendable (Value) throws -> T
    ) -> Future<T> {
        Future<T>(
            node: .step(from: node, on: scheduler, .values, Closure(Body(transform))) { node, _ in
                let source = node.arrived
                guard source.isSuccess else { return node.settleInJob(error: source.error) }
                node.settleInJob { try node.closure.load(as: Body<Value, T>.self).call(source.value(as: Value.self)) }
            })
    }

    /// Returns a future of the value that `transform` returns for this one's value or error: see ``map(_:)`` and
    /// ``recover(_:)``.
    @_alwaysEmitIntoClient
    public consuming func mapResult<T: Sendable>(
        @_inheritActorContext
        _ transform: @escaping @Sendable @isolated(any) (Result<Value, any Error>) throws -> T
    ) -> Future<T> {
        mapResult(on: .inferred(from: transform.isolation), Body(.isolated(transform)).call)
    }

    /// ``mapResult(_:)`` with `transform` called on `scheduler`.
    @_alwaysEmitIntoClient
    public consuming func mapResult<T: Sendable>(
        on scheduler: Scheduler, _ transform: @escaping @Sendable (Result<Value, any Error>) throws -> T
    ) -> Future<T> {
        Future<T>(
            node: .step(from: node, on: scheduler, .results, Closure(Body(transform))) { node, _ in
                let source = node.arrived
                node.settleInJob {
                    let transform = node.closure.load(as: Body<Result<Value, any Error>, T>.self).call
                    return try transform(source.result(as: Value.self))
                }
            })
    }
}

extension Future {
    /// Returns a future of the unwrapped value, which fails with `error` if the value is nil.
    @inlinable
    public consuming func unwrap<T: Sendable>(orThrow error: any Error) -> Future<T> where Value == T? {
        map(on: .inPlace) { value in
            guard let value else { throw error }
            return value
        }
    }

    /// Returns a future that succeeds when this one does, but has no value, and fails with the same error.
    @_alwaysEmitIntoClient
    public consuming func asVoid() -> Future<Void> {
        map(on: .inPlace) { _ in }
    }
}
