// onValueWaiting, onErrorWaiting, onResultWaiting: observing that takes its time.

extension Future {
    /// Calls `callback` with the value, and waits for the future that it returns; the one that is returned has the same
    /// value then.
    ///
    /// A throw, or a failure of what it waits for, becomes the failure of the future that is returned. A cancel reaches
    /// both.
    @inlinable @discardableResult
    public consuming func onValueWaiting<T: Sendable>(
        @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (Value) throws -> Future<T>
    ) -> Future {
        let (scheduler, callback) = place(callback)
        return onValueWaiting(on: scheduler, callback)
    }

    /// The same, with `callback` called on `scheduler`.
    @inlinable @discardableResult
    public consuming func onValueWaiting<T: Sendable>(
        on scheduler: Scheduler, _ callback: @escaping @Sendable (Value) throws -> Future<T>
    ) -> Future {
        flatMap(on: scheduler) { value in try callback(value).map(on: .inPlace) { _ in value } }
    }

    /// Calls `callback` with the error, and waits for the future that it returns; the one that is returned fails with the
    /// same error then.
    ///
    /// If `callback` throws, or what it waits for fails, with that error instead. A cancel reaches both.
    @inlinable @discardableResult
    public consuming func onErrorWaiting<T: Sendable>(
        @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (any Error) throws -> Future<T>
    ) -> Future {
        let (scheduler, callback) = place(replacing: callback)
        return onErrorWaiting(on: scheduler, callback)
    }

    /// The same, with `callback` called on `scheduler`.
    @inlinable @discardableResult
    public consuming func onErrorWaiting<T: Sendable>(
        on scheduler: Scheduler, _ callback: @escaping @Sendable (any Error) throws -> Future<T>
    ) -> Future {
        flatMapError(on: scheduler) { error in try callback(error).map(on: .inPlace) { _ in throw error } }
    }

    /// Calls `callback` with the value or error, and waits for the future that it returns; the one that is returned has
    /// the same result then.
    ///
    /// If `callback` throws, or what it waits for fails, with that error instead. A cancel reaches both.
    @inlinable @discardableResult
    public consuming func onResultWaiting<T: Sendable>(
        @_inheritActorContext
        _ callback: @escaping @Sendable @isolated(any) (Result<Value, any Error>) throws -> Future<T>
    ) -> Future {
        let (scheduler, callback) = place(callback)
        return onResultWaiting(on: scheduler, callback)
    }

    /// The same, with `callback` called on `scheduler`.
    @inlinable @discardableResult
    public consuming func onResultWaiting<T: Sendable>(
        on scheduler: Scheduler, _ callback: @escaping @Sendable (Result<Value, any Error>) throws -> Future<T>
    ) -> Future {
        flatMapResult(on: scheduler) { result in try callback(result).map(on: .inPlace) { _ in try result.get() } }
    }
}
