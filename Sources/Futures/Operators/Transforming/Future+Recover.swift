// recover, flatRecover, replaceError: replacing errors with values.

extension Future {
    /// Returns a future that recovers from an error of type `type` with the value that `transform` returns for it.
    ///
    /// Values and errors of other types are passed on. `CancellationError` is a type like any other.
    ///
    /// - Parameters:
    ///   - type: The type of the errors to recover from.
    ///   - transform: Runs on the closure's actor, or else on the current scheduler. If it throws, the returned future
    ///     fails with that error.
    @_alwaysEmitIntoClient
    public func recover<Failure: Error>(
        from type: Failure.Type,
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (Failure) throws -> Value
    ) -> Future {
        let (scheduler, transform) = isolated(transform)
        return recover(on: scheduler, from: type, transform)
    }

    /// Returns a future that recovers from an error of type `type` with the value that `transform` returns for it.
    ///
    /// Values and errors of other types are passed on without a hop. `CancellationError` is a type like any other.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that `transform` is called on.
    ///   - type: The type of the errors to recover from.
    ///   - transform: If it throws, the returned future fails with that error.
    @_alwaysEmitIntoClient
    public func recover<Failure: Error>(
        on scheduler: Scheduler, from type: Failure.Type,
        _ transform: @escaping @Sendable (Failure) throws -> Value
    ) -> Future {
        recovering(from: type) { $0.map(on: scheduler, transform) }
    }

    /// Returns a future that recovers from an error of type `type` with the future that `transform` returns for it.
    ///
    /// Values and errors of other types are passed on. `CancellationError` is a type like any other. Cancelling the
    /// returned future cancels `transform`'s future too, unless that has other listeners.
    ///
    /// - Parameters:
    ///   - type: The type of the errors to recover from.
    ///   - transform: Runs on the closure's actor, or else on the current scheduler. If it throws, the returned future
    ///     fails with that error.
    @_alwaysEmitIntoClient
    public func flatRecover<Failure: Error>(
        from type: Failure.Type,
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (Failure) throws -> Future
    ) -> Future {
        let (scheduler, transform) = isolated(transform)
        return flatRecover(on: scheduler, from: type, transform)
    }

    /// Returns a future that recovers from an error of type `type` with the future that `transform` returns for it.
    ///
    /// Values and errors of other types are passed on without a hop. `CancellationError` is a type like any other.
    /// Cancelling the returned future cancels `transform`'s future too, unless that has other listeners.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that `transform` is called on.
    ///   - type: The type of the errors to recover from.
    ///   - transform: If it throws, the returned future fails with that error.
    @_alwaysEmitIntoClient
    public func flatRecover<Failure: Error>(
        on scheduler: Scheduler, from type: Failure.Type,
        _ transform: @escaping @Sendable (Failure) throws -> Future
    ) -> Future {
        recovering(from: type) { $0.flatMap(on: scheduler, transform) }
    }

    /// Returns a future with the same value, or with `value` if this future fails, also by a `CancellationError`.
    @_alwaysEmitIntoClient
    public consuming func replaceError(with value: Value) -> Future {
        mapError(on: .inPlace) { _ in value }
    }

    /// The first step runs in place, so that only an error of the type makes a hop.
    @inlinable
    func recovering<Failure: Error>(
        from _: Failure.Type, by recovery: @escaping @Sendable (Future<Failure>) -> Future
    ) -> Future {
        step(on: .inPlace, .errors) { result in
            guard case .failure(let error as Failure) = result else { return .result(result) }
            return .future(recovery(Future<Failure>(error)))
        }
    }
}
