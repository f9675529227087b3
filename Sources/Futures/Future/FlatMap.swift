// flatMap, flatMapResult: chaining a result to the future that a closure returns for it.

extension Future {
    /// Returns a future with the result of the future that `transform` returns for the value. Errors are passed on.
    ///
    /// Cancelling the returned future cancels `transform`'s future too, unless that has other listeners. Recursion may
    /// be endless: a step that returns the next step's future uses no stack, and its memory is released along the way.
    /// Like any loop, it keeps its scheduler from other work for as long as its futures complete immediately.
    ///
    /// - Parameter transform: Runs on the closure's actor, or else on the current scheduler. If it throws, the returned
    ///   future fails with that error. If it returns a future that waits for the returned one, the returned future
    ///   fails with ``FutureError/awaitsItself``.
    @_alwaysEmitIntoClient
    public consuming func flatMap<T: Sendable>(
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (Value) throws -> Future<T>
    ) -> Future<T> {
        flatMap(on: .inferred(from: transform.isolation), Following(.isolated(transform)).call)
    }

    /// ``flatMap(_:)`` with `transform` called on `scheduler`. An error passes without a hop.
    @_alwaysEmitIntoClient
    public consuming func flatMap<T: Sendable>(
        on scheduler: Scheduler, _ transform: @escaping @Sendable (Value) throws -> Future<T>
    ) -> Future<T> {
        Future<T>(
            node: .step(from: node, on: scheduler, .values, Closure(Following(transform))) { node, _ in
                let source = node.arrived
                guard source.isSuccess else { return node.settleInJob(error: source.error) }
                node.follow {
                    let value = source.value(as: Value.self)
                    let future = try node.closure.load(as: Following<Value, T>.self).call(value)
                    return Value.self == Permit.self ? future.keeping(value) : future
                }
            })
    }

    /// Returns a future with the result of the future that `transform` returns for the value or error: see
    /// ``flatMap(_:)`` and ``recover(_:)``.
    @_alwaysEmitIntoClient
    public consuming func flatMapResult<T: Sendable>(
        @_inheritActorContext
        _ transform: @escaping @Sendable @isolated(any) (Result<Value, any Error>) throws -> Future<T>
    ) -> Future<T> {
        flatMapResult(on: .inferred(from: transform.isolation), Following(.isolated(transform)).call)
    }

    /// ``flatMapResult(_:)`` with `transform` called on `scheduler`.
    @_alwaysEmitIntoClient
    public consuming func flatMapResult<T: Sendable>(
        on scheduler: Scheduler,
        _ transform: @escaping @Sendable (Result<Value, any Error>) throws -> Future<T>
    ) -> Future<T> {
        Future<T>(
            node: .step(from: node, on: scheduler, .results, Closure(Following(transform))) { node, _ in
                let source = node.arrived
                node.follow {
                    let transform = node.closure.load(as: Following<Result<Value, any Error>, T>.self).call
                    return try transform(source.result(as: Value.self))
                }
            })
    }
}
