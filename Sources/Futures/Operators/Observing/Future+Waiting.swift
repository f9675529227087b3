// onValueWaiting, onErrorWaiting, onResultWaiting: observing a result with an asynchronous operation.

extension Future {
    /// Calls `callback` with the value and waits for the future that it returns. It is not called for an error.
    ///
    /// - Parameter callback: Runs on the closure's actor, or else on the current scheduler. If it throws, or if its
    ///   future fails, the returned future fails with that error.
    /// - Returns: A future with the same result, which completes once `callback`'s future has succeeded. Cancelling it
    ///   cancels this future and `callback`'s, unless they have other listeners.
    @_alwaysEmitIntoClient @discardableResult
    public consuming func onValueWaiting<T: Sendable>(
        @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (Value) throws -> Future<T>
    ) -> Future {
        let (scheduler, callback) = isolated(callback)
        return onValueWaiting(on: scheduler, callback)
    }

    /// Calls `callback` on `scheduler` with the value and waits for the future that it returns. An error is passed on
    /// without a hop.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that `callback` is called on.
    ///   - callback: If it throws, or if its future fails, the returned future fails with that error.
    /// - Returns: A future with the same result, which completes once `callback`'s future has succeeded. Cancelling it
    ///   cancels this future and `callback`'s, unless they have other listeners.
    @_alwaysEmitIntoClient @discardableResult
    public consuming func onValueWaiting<T: Sendable>(
        on scheduler: Scheduler, _ callback: @escaping @Sendable (Value) throws -> Future<T>
    ) -> Future {
        flatMap(on: scheduler) { value in try callback(value).map(on: .inPlace) { _ in value } }
    }

    /// Calls `callback` with the error and waits for the future that it returns. It is not called for a value.
    ///
    /// - Parameter callback: Runs on the closure's actor, or else on the current scheduler. If it throws, or if its
    ///   future fails, the returned future fails with that error instead of the original one.
    /// - Returns: A future with the same result, which completes once `callback`'s future has succeeded. Cancelling it
    ///   cancels this future and `callback`'s, unless they have other listeners.
    @_alwaysEmitIntoClient @discardableResult
    public consuming func onErrorWaiting<T: Sendable>(
        @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (any Error) throws -> Future<T>
    ) -> Future {
        let (scheduler, callback) = isolated(replacing: callback)
        return onErrorWaiting(on: scheduler, callback)
    }

    /// Calls `callback` on `scheduler` with the error and waits for the future that it returns. A value is passed on
    /// without a hop.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that `callback` is called on.
    ///   - callback: If it throws, or if its future fails, the returned future fails with that error instead of the
    ///     original one.
    /// - Returns: A future with the same result, which completes once `callback`'s future has succeeded. Cancelling it
    ///   cancels this future and `callback`'s, unless they have other listeners.
    @_alwaysEmitIntoClient @discardableResult
    public consuming func onErrorWaiting<T: Sendable>(
        on scheduler: Scheduler, _ callback: @escaping @Sendable (any Error) throws -> Future<T>
    ) -> Future {
        flatMapError(on: scheduler) { error in try callback(error).map(on: .inPlace) { _ in throw error } }
    }

    /// Calls `callback` with the value or error and waits for the future that it returns.
    ///
    /// - Parameter callback: Runs on the closure's actor, or else on the current scheduler. If it throws, or if its
    ///   future fails, the returned future fails with that error instead of the original result.
    /// - Returns: A future with the same result, which completes once `callback`'s future has succeeded. Cancelling it
    ///   cancels this future and `callback`'s, unless they have other listeners.
    @_alwaysEmitIntoClient @discardableResult
    public consuming func onResultWaiting<T: Sendable>(
        @_inheritActorContext
        _ callback: @escaping @Sendable @isolated(any) (Result<Value, any Error>) throws -> Future<T>
    ) -> Future {
        let (scheduler, callback) = isolated(callback)
        return onResultWaiting(on: scheduler, callback)
    }

    /// Calls `callback` on `scheduler` with the value or error and waits for the future that it returns.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that `callback` is called on.
    ///   - callback: If it throws, or if its future fails, the returned future fails with that error instead of the
    ///     original result.
    /// - Returns: A future with the same result, which completes once `callback`'s future has succeeded. Cancelling it
    ///   cancels this future and `callback`'s, unless they have other listeners.
    @_alwaysEmitIntoClient @discardableResult
    public consuming func onResultWaiting<T: Sendable>(
        on scheduler: Scheduler, _ callback: @escaping @Sendable (Result<Value, any Error>) throws -> Future<T>
    ) -> Future {
        flatMapResult(on: scheduler) { result in try callback(result).map(on: .inPlace) { _ in try result.get() } }
    }
}
