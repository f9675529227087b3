// filter, compactMap, unwrap, asVoid: accepting, rejecting or dropping values.

extension Future {
    /// Returns a future with the same value, which fails with `error` if `isIncluded` returns false for it.
    ///
    /// Errors are passed on.
    ///
    /// - Parameters:
    ///   - error: The error for a value that is not accepted.
    ///   - isIncluded: Runs on the closure's actor, or else on the current scheduler. If it throws, the returned future
    ///     fails with that error.
    @_alwaysEmitIntoClient
    public consuming func filter(
        orThrow error: any Error,
        @_inheritActorContext _ isIncluded: @escaping @Sendable @isolated(any) (Value) throws -> Bool
    ) -> Future {
        let (scheduler, isIncluded) = isolated(isIncluded)
        return filter(on: scheduler, orThrow: error, isIncluded)
    }

    /// Returns a future with the same value, which fails with `error` if `isIncluded` returns false for it.
    ///
    /// Errors are passed on without a hop.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that `isIncluded` is called on.
    ///   - error: The error for a value that is not accepted.
    ///   - isIncluded: If it throws, the returned future fails with that error.
    @_alwaysEmitIntoClient
    public consuming func filter(
        on scheduler: Scheduler, orThrow error: any Error,
        _ isIncluded: @escaping @Sendable (Value) throws -> Bool
    ) -> Future {
        map(on: scheduler) { value in
            guard try isIncluded(value) else { throw error }
            return value
        }
    }

    /// Returns a future of the value that `transform` returns for this one's value, which fails with `error` if that is
    /// nil.
    ///
    /// Errors are passed on.
    ///
    /// - Parameters:
    ///   - error: The error for a value that `transform` returns nil for.
    ///   - transform: Runs on the closure's actor, or else on the current scheduler. If it throws, the returned future
    ///     fails with that error.
    @_alwaysEmitIntoClient
    public consuming func compactMap<T: Sendable>(
        orThrow error: any Error,
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (Value) throws -> T?
    ) -> Future<T> {
        let (scheduler, transform) = isolated(transform)
        return compactMap(on: scheduler, orThrow: error, transform)
    }

    /// Returns a future of the value that `transform` returns for this one's value, which fails with `error` if that is
    /// nil.
    ///
    /// Errors are passed on without a hop.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that `transform` is called on.
    ///   - error: The error for a value that `transform` returns nil for.
    ///   - transform: If it throws, the returned future fails with that error.
    @_alwaysEmitIntoClient
    public consuming func compactMap<T: Sendable>(
        on scheduler: Scheduler, orThrow error: any Error,
        _ transform: @escaping @Sendable (Value) throws -> T?
    ) -> Future<T> {
        map(on: scheduler) { value in
            guard let new = try transform(value) else { throw error }
            return new
        }
    }

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
