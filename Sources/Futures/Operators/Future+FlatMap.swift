// flatMap: futures of the result of the future that a closure returns.

extension Future {
    /// A future of the result of the future that `transform` returns for this one's value; errors pass by.
    ///
    /// A future that nobody else listens to is cancelled with this one. Recursion may be endless: a step that
    /// returns the next one's future takes no stack, and its memory is given back as it goes on.
    public func flatMap<T: Sendable>(
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (Value) throws -> Future<T>
    ) -> Future<T> {
        let (scheduler, transform) = place(transform)
        return flatMap(on: scheduler, transform)
    }

    /// The same, with `transform` called on `scheduler`.
    public func flatMap<T: Sendable>(
        on scheduler: Scheduler, _ transform: @escaping @Sendable (Value) throws -> Future<T>
    ) -> Future<T> {
        step(on: scheduler, .values) { result in
            switch result {
            case .success(let value): .future(try transform(value))
            case .failure(let error): .error(error)
            }
        }
    }

    /// A future of the result of the future that `transform` returns for this one's value or error.
    public func flatMapResult<T: Sendable>(
        @_inheritActorContext
        _ transform: @escaping @Sendable @isolated(any) (Result<Value, any Error>) throws -> Future<T>
    ) -> Future<T> {
        let (scheduler, transform) = place(transform)
        return flatMapResult(on: scheduler, transform)
    }

    /// The same, with `transform` called on `scheduler`.
    public func flatMapResult<T: Sendable>(
        on scheduler: Scheduler,
        _ transform: @escaping @Sendable (Result<Value, any Error>) throws -> Future<T>
    ) -> Future<T> {
        step(on: scheduler, .results) { .future(try transform($0)) }
    }

    /// A future that recovers from an error with the future that `transform` returns for it; values pass by.
    public func flatMapError(
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (any Error) throws -> Future
    ) -> Future {
        let (scheduler, transform) = place(transform)
        return flatMapError(on: scheduler, transform)
    }

    /// The same, with `transform` called on `scheduler`.
    public func flatMapError(
        on scheduler: Scheduler, _ transform: @escaping @Sendable (any Error) throws -> Future
    ) -> Future {
        step(on: scheduler, .errors) { result in
            switch result {
            case .success(let value): .value(value)
            case .failure(let error): .future(try transform(error))
            }
        }
    }
}
