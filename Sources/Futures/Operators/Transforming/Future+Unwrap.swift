// unwrap, asVoid: rejecting nil, and dropping a value.

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
