// onValue, onError, onResult: callbacks that observe a result and pass it on unchanged.

extension Future {
    /// Calls `callback` with the value. It is not called for an error.
    ///
    /// - Parameter callback: Runs on the closure's actor, or else on the current scheduler. If it throws, the returned
    ///   future fails with that error; this future and its other listeners are not affected.
    /// - Returns: A future with the same result, which completes after `callback` has returned.
    @_alwaysEmitIntoClient @discardableResult
    public consuming func onValue(
        @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (Value) throws -> Void
    ) -> Future {
        onValue(on: .inferred(from: callback.isolation), Callback(.isolated(callback)).call)
    }

    /// ``onValue(_:)`` with `callback` called on `scheduler`. An error passes without a hop.
    @_alwaysEmitIntoClient @discardableResult
    public consuming func onValue(
        on scheduler: Scheduler, _ callback: @escaping @Sendable (Value) throws -> Void
    ) -> Future {
        Future(
            node: .step(from: node, on: scheduler, .values, Closure(Callback(callback))) { node, _ in
                let source = node.arrived
                guard source.isSuccess else { return node.settleInJob(error: source.error) }
                node.settleInJob {
                    let value = source.value(as: Value.self)
                    try node.closure.load(as: Callback<Value>.self).call(value)
                    return value
                }
            })
    }

    /// Calls `callback` with the error. It is not called for a value.
    ///
    /// A `CancellationError` with which this future failed is an error like any other. Cancelling the returned future
    /// calls nothing; for that, attach ``onCancel(_:)`` too.
    ///
    /// - Parameter callback: Runs on the closure's actor, or else on the current scheduler. If it throws, the returned
    ///   future fails with that error instead.
    /// - Returns: A future with the same result, which completes after `callback` has returned.
    @_alwaysEmitIntoClient @discardableResult
    public consuming func onError(
        @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (any Error) throws -> Void
    ) -> Future {
        onError(on: .inferred(from: callback.isolation), Observing(.isolated(callback)).call)
    }

    /// ``onError(_:)`` with `callback` called on `scheduler`. A value passes without a hop.
    @_alwaysEmitIntoClient @discardableResult
    public consuming func onError(
        on scheduler: Scheduler, _ callback: @escaping @Sendable (any Error) throws -> Void
    ) -> Future {
        Future(
            node: .step(from: node, on: scheduler, .errors, Closure(Observing(callback))) { node, _ in
                let source = node.arrived
                guard !source.isSuccess else { return node.settleInJob(source.value(as: Value.self)) }
                let error = source.error
                do {
                    try node.closure.load(as: Observing.self).call(error)
                    node.settleInJob(error: error)
                } catch {
                    node.settleInJob(error: error)
                }
            })
    }

    /// Calls `callback` with the value or error: see ``onValue(_:)`` and ``onError(_:)``.
    @_alwaysEmitIntoClient @discardableResult
    public consuming func onResult(
        @_inheritActorContext
        _ callback: @escaping @Sendable @isolated(any) (Result<Value, any Error>) throws -> Void
    ) -> Future {
        onResult(on: .inferred(from: callback.isolation), Callback(.isolated(callback)).call)
    }

    /// ``onResult(_:)`` with `callback` called on `scheduler`.
    @_alwaysEmitIntoClient @discardableResult
    public consuming func onResult(
        on scheduler: Scheduler, _ callback: @escaping @Sendable (Result<Value, any Error>) throws -> Void
    ) -> Future {
        Future(
            node: .step(from: node, on: scheduler, .results, Closure(Callback(callback))) { node, _ in
                let source = node.arrived
                node.settleInJob {
                    let result = source.result(as: Value.self)
                    try node.closure.load(as: Callback<Result<Value, any Error>>.self).call(result)
                    return try result.get()
                }
            })
    }
}

extension Future {
    /// Calls `body` when this future has completed or was cancelled. It is no listener that keeps the future from that.
    package func watch(_ body: @escaping @Sendable () -> Void) {
        _ = Node.listener(to: node, .watcher) { _ in body() }
    }
}
