// onCancel, onErrorOrCancel, always: handlers that also hear of a cancel from below.

extension Future {
    /// Calls `handler` if the result is a `CancellationError`, and if the future that is returned is cancelled.
    ///
    /// When a chain is cancelled, its handlers run source first.
    @inlinable @discardableResult
    public consuming func onCancel(
        @_inheritActorContext _ handler: @escaping @Sendable @isolated(any) () -> Void
    ) -> Future {
        let (scheduler, handler) = place(handler)
        return onCancel(on: scheduler, handler)
    }

    /// The same, with `handler` called on `scheduler`.
    @inlinable @discardableResult
    public consuming func onCancel(on scheduler: Scheduler, _ handler: @escaping @Sendable () -> Void)
        -> Future
    {
        handling(.cancellations, on: scheduler, handler)
    }

    /// Calls `handler` once with the error, or with a `CancellationError` if the future that is returned is cancelled.
    @inlinable @discardableResult
    public consuming func onErrorOrCancel(
        @_inheritActorContext _ handler: @escaping @Sendable @isolated(any) (any Error) -> Void
    ) -> Future {
        let (scheduler, handler) = place(reporting: handler)
        return handlingError(on: scheduler, handler)
    }

    /// The same, with `handler` called on `scheduler`.
    @inlinable @discardableResult
    public consuming func onErrorOrCancel(
        on scheduler: Scheduler, _ handler: @escaping @Sendable (any Error) -> Void
    ) -> Future {
        handlingError(on: scheduler, handler)
    }

    /// Calls `handler` once, however this ends: with a value, an error or a cancel.
    @inlinable @discardableResult
    public consuming func always(
        @_inheritActorContext _ handler: @escaping @Sendable @isolated(any) () -> Void
    ) -> Future {
        let (scheduler, handler) = place(handler)
        return always(on: scheduler, handler)
    }

    /// The same, with `handler` called on `scheduler`.
    @inlinable @discardableResult
    public consuming func always(on scheduler: Scheduler, _ handler: @escaping @Sendable () -> Void) -> Future {
        handling(.results, on: scheduler, handler)
    }

    /// Calls `handler` for the results that it wants, or for a cancel before one: whichever is first.
    @inlinable
    consuming func handling(
        _ wanted: Traits, on scheduler: Scheduler, _ handler: @escaping @Sendable () -> Void
    ) -> Future {
        Future(
            node: .step(from: node, on: scheduler, [wanted, .cancels], Closure(handler: handler)) {
                node, call in
                guard call == .arrived else { return node.closure.call() }
                let source = node.arrived
                if node.traits.contains(source.outcome) {
                    guard node.begin() else { return }
                    node.closure.call()
                }
                node.finish(as: source, Value.self)
            })
    }
    /// Calls `handler`, which does not throw, for an error, or for a cancel before one: whichever is first.
    @inlinable
    consuming func handlingError(
        on scheduler: Scheduler, _ handler: @escaping @Sendable (any Error) throws -> Void
    ) -> Future {
        Future(
            node: .step(from: node, on: scheduler, [.errors, .cancels], .reporting(handler)) { node, call in
                let handler = node.closure.reporting
                guard call == .arrived else {
                    try? handler(CancellationError())
                    return
                }
                let source = node.arrived
                if !source.isSuccess {
                    guard node.begin() else { return }
                    try? handler(source.error)
                }
                node.finish(as: source, Value.self)
            })
    }
}
