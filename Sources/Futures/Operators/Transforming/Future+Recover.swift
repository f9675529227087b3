// recover, flatRecover, replaceError: values in the place of errors.

extension Future {
    /// A future that recovers from an error of type `type` with what `transform` returns for it.
    ///
    /// A throw is a failure. Values and other errors pass by.
    @inlinable
    public func recover<Failure: Error>(
        from type: Failure.Type,
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (Failure) throws -> Value
    ) -> Future {
        let (scheduler, transform) = place(transform)
        return recover(on: scheduler, from: type, transform)
    }

    /// The same, with `transform` called on `scheduler`.
    @inlinable
    public func recover<Failure: Error>(
        on scheduler: Scheduler, from type: Failure.Type,
        _ transform: @escaping @Sendable (Failure) throws -> Value
    ) -> Future {
        recovering(from: type) { $0.map(on: scheduler, transform) }
    }

    /// A future that recovers from an error of type `type` with the future that `transform` returns for it.
    ///
    /// A throw is a failure. Values and other errors pass by.
    @inlinable
    public func flatRecover<Failure: Error>(
        from type: Failure.Type,
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (Failure) throws -> Future
    ) -> Future {
        let (scheduler, transform) = place(transform)
        return flatRecover(on: scheduler, from: type, transform)
    }

    /// The same, with `transform` called on `scheduler`.
    @inlinable
    public func flatRecover<Failure: Error>(
        on scheduler: Scheduler, from type: Failure.Type,
        _ transform: @escaping @Sendable (Failure) throws -> Future
    ) -> Future {
        recovering(from: type) { $0.flatMap(on: scheduler, transform) }
    }

    /// A future with the same value, or `value` in the place of every error.
    @inlinable
    public consuming func replaceError(with value: Value) -> Future {
        mapError(on: .inPlace) { _ in value }
    }

    /// What is not to be recovered from passes in place, so the hop is the recovery's own.
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
