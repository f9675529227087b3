// map: futures of what a closure returns.

extension Future {
    /// A future of what `transform` returns for this one's value; a throw is a failure, and errors pass by.
    public func map<T: Sendable>(
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (Value) throws -> T
    ) -> Future<T> {
        let (scheduler, transform) = place(transform)
        return map(on: scheduler, transform)
    }

    /// The same, with `transform` called on `scheduler`.
    public func map<T: Sendable>(
        on scheduler: Scheduler, _ transform: @escaping @Sendable (Value) throws -> T
    ) -> Future<T> {
        step(on: scheduler, .values) { result in
            switch result {
            case .success(let value): .value(try transform(value))
            case .failure(let error): .error(error)
            }
        }
    }

    /// A future of what `transform` returns for this one's value or error; a throw is a failure.
    public func mapResult<T: Sendable>(
        @_inheritActorContext
        _ transform: @escaping @Sendable @isolated(any) (Result<Value, any Error>) throws -> T
    ) -> Future<T> {
        let (scheduler, transform) = place(transform)
        return mapResult(on: scheduler, transform)
    }

    /// The same, with `transform` called on `scheduler`.
    public func mapResult<T: Sendable>(
        on scheduler: Scheduler, _ transform: @escaping @Sendable (Result<Value, any Error>) throws -> T
    ) -> Future<T> {
        step(on: scheduler, .results) { .value(try transform($0)) }
    }

    /// A future that recovers from an error with what `transform` returns for it; values pass by.
    ///
    /// A cancellation that comes from above is an error like others; one from below calls nothing.
    public func mapError(
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (any Error) throws -> Value
    ) -> Future {
        let (scheduler, transform) = place(transform)
        return mapError(on: scheduler, transform)
    }

    /// The same, with `transform` called on `scheduler`.
    public func mapError(
        on scheduler: Scheduler, _ transform: @escaping @Sendable (any Error) throws -> Value
    ) -> Future {
        step(on: scheduler, .errors) { result in
            switch result {
            case .success(let value): .value(value)
            case .failure(let error): .value(try transform(error))
            }
        }
    }
}
