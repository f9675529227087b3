// filter, compactMap, unwrap: values that will do, and errors for those that will not.

extension Future {
    /// A future of this one's value if `isIncluded` returns true for it, else of `error`.
    ///
    /// A throw is a failure, and errors pass by.
    @inlinable
    public consuming func filter(
        orThrow error: any Error,
        @_inheritActorContext _ isIncluded: @escaping @Sendable @isolated(any) (Value) throws -> Bool
    ) -> Future {
        let (scheduler, isIncluded) = place(isIncluded)
        return filter(on: scheduler, orThrow: error, isIncluded)
    }

    /// The same, with `isIncluded` called on `scheduler`.
    @inlinable
    public consuming func filter(
        on scheduler: Scheduler, orThrow error: any Error,
        _ isIncluded: @escaping @Sendable (Value) throws -> Bool
    ) -> Future {
        map(on: scheduler) { value in
            guard try isIncluded(value) else { throw error }
            return value
        }
    }

    /// A future of what `transform` returns for this one's value, or of `error` if that is nil.
    ///
    /// A throw is a failure, and errors pass by.
    @inlinable
    public consuming func compactMap<T: Sendable>(
        orThrow error: any Error,
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (Value) throws -> T?
    ) -> Future<T> {
        let (scheduler, transform) = place(transform)
        return compactMap(on: scheduler, orThrow: error, transform)
    }

    /// The same, with `transform` called on `scheduler`.
    @inlinable
    public consuming func compactMap<T: Sendable>(
        on scheduler: Scheduler, orThrow error: any Error,
        _ transform: @escaping @Sendable (Value) throws -> T?
    ) -> Future<T> {
        map(on: scheduler) { value in
            guard let new = try transform(value) else { throw error }
            return new
        }
    }

    /// A future of what is in this one's optional value, or of `error` if that is nil.
    @inlinable
    public consuming func unwrap<T: Sendable>(orThrow error: any Error) -> Future<T> where Value == T? {
        map(on: .inPlace) { value in
            guard let value else { throw error }
            return value
        }
    }

    /// A future that succeeds when this one does, without its value.
    @inlinable
    public consuming func toVoid() -> Future<Void> {
        map(on: .inPlace) { _ in }
    }
}
