// Observing: callbacks that see a result and leave it as it is.

extension Future {
    /// Calls `callback` with the value; the future that is returned has the same result, once it was called.
    ///
    /// A throw becomes the failure of the future that is returned, not of this one.
    @discardableResult
    public func onValue(
        @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (Value) throws -> Void
    ) -> Future {
        let (scheduler, callback) = place(callback)
        return onValue(on: scheduler, callback)
    }

    /// The same, with `callback` called on `scheduler`.
    @discardableResult
    public func onValue(
        on scheduler: Scheduler, _ callback: @escaping @Sendable (Value) throws -> Void
    ) -> Future {
        map(on: scheduler) { value in
            try callback(value)
            return value
        }
    }

    /// Calls `callback` with the error; the future that is returned has the same result, once it was called.
    ///
    /// An error that comes from above is reported, a `CancellationError` too; a cancel from below calls nothing.
    @discardableResult
    public func onError(
        @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (any Error) throws -> Void
    ) -> Future {
        let (scheduler, callback) = place(callback)
        return onError(on: scheduler, callback)
    }

    /// The same, with `callback` called on `scheduler`.
    @discardableResult
    public func onError(
        on scheduler: Scheduler, _ callback: @escaping @Sendable (any Error) throws -> Void
    ) -> Future {
        mapError(on: scheduler) { error in
            try callback(error)
            throw error
        }
    }

    /// Calls `callback` with the value or error; the future that is returned has the same, once it was called.
    @discardableResult
    public func onResult(
        @_inheritActorContext
        _ callback: @escaping @Sendable @isolated(any) (Result<Value, any Error>) throws -> Void
    ) -> Future {
        let (scheduler, callback) = place(callback)
        return onResult(on: scheduler, callback)
    }

    /// The same, with `callback` called on `scheduler`.
    @discardableResult
    public func onResult(
        on scheduler: Scheduler, _ callback: @escaping @Sendable (Result<Value, any Error>) throws -> Void
    ) -> Future {
        mapResult(on: scheduler) { result in
            try callback(result)
            return try result.get()
        }
    }
}
