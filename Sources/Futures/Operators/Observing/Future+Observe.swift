// Observing: callbacks that see a result and leave it as it is.

extension Future {
    /// Calls `callback` with the value; the future that is returned has the same result, once it was called.
    ///
    /// A throw becomes the failure of the future that is returned, not of this one.
    @inlinable @discardableResult
    public consuming func onValue(
        @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (Value) throws -> Void
    ) -> Future {
        let (scheduler, callback) = place(callback)
        return onValue(on: scheduler, callback)
    }

    /// The same, with `callback` called on `scheduler`.
    @inlinable @discardableResult
    public consuming func onValue(
        on scheduler: Scheduler, _ callback: @escaping @Sendable (Value) throws -> Void
    ) -> Future {
        Future(
            node: .step(from: node, on: scheduler, .values, .callback(callback)) { node, _ in
                let source = node.arrived
                guard source.isSuccess else { return node.finish(error: source.error) }
                node.finish {
                    let value = source.value(as: Value.self)
                    try node.closure.callback(Value.self)(value)
                    return value
                }
            })
    }

    /// Calls `callback` with the error; the future that is returned has the same result, once it was called.
    ///
    /// An error that comes from above is reported, a `CancellationError` too; a cancel from below calls nothing.
    @inlinable @discardableResult
    public consuming func onError(
        @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (any Error) throws -> Void
    ) -> Future {
        let (scheduler, callback) = place(reporting: callback)
        return onError(on: scheduler, callback)
    }

    /// The same, with `callback` called on `scheduler`.
    @inlinable @discardableResult
    public consuming func onError(
        on scheduler: Scheduler, _ callback: @escaping @Sendable (any Error) throws -> Void
    ) -> Future {
        Future(
            node: .step(from: node, on: scheduler, .errors, .reporting(callback)) { node, _ in
                let source = node.arrived
                guard !source.isSuccess else { return node.finish(source.value(as: Value.self)) }
                node.finish { () throws -> Value in
                    let error = source.error
                    try node.closure.reporting(error)
                    throw error
                }
            })
    }

    /// Calls `callback` with the value or error; the future that is returned has the same, once it was called.
    @inlinable @discardableResult
    public consuming func onResult(
        @_inheritActorContext
        _ callback: @escaping @Sendable @isolated(any) (Result<Value, any Error>) throws -> Void
    ) -> Future {
        let (scheduler, callback) = place(callback)
        return onResult(on: scheduler, callback)
    }

    /// The same, with `callback` called on `scheduler`.
    @inlinable @discardableResult
    public consuming func onResult(
        on scheduler: Scheduler, _ callback: @escaping @Sendable (Result<Value, any Error>) throws -> Void
    ) -> Future {
        Future(
            node: .step(from: node, on: scheduler, .results, .callback(callback)) { node, _ in
                let source = node.arrived
                node.finish {
                    let result = source.result(as: Value.self)
                    try node.closure.callback(Result<Value, any Error>.self)(result)
                    return try result.get()
                }
            })
    }
}
