// onCancel, always: handlers that are also called when their future is cancelled.

extension Future {
    /// Calls `handler` if this future fails with a `CancellationError`, or if the returned future is cancelled.
    ///
    /// When a chain is cancelled, the handlers closest to the source are called first.
    ///
    /// - Parameter handler: Runs on the closure's actor, or else on the current scheduler.
    /// - Returns: A future with the same result, which completes after `handler` has returned.
    @_alwaysEmitIntoClient @discardableResult
    public consuming func onCancel(
        @_inheritActorContext _ handler: @escaping @Sendable @isolated(any) () -> Void
    ) -> Future {
        onCancel(on: .inferred(from: handler.isolation), Closure(.isolated(handler)).call)
    }

    /// ``onCancel(_:)`` with `handler` called on `scheduler`.
    @_alwaysEmitIntoClient @discardableResult
    public consuming func onCancel(on scheduler: Scheduler, _ handler: @escaping @Sendable () -> Void)
        -> Future
    {
        handling(.cancellations, on: scheduler, handler)
    }

    /// Calls `handler` once when this future succeeds or fails, or when the returned future is cancelled.
    ///
    /// A repetition of the returned future calls it once for each run. Otherwise, it is like ``onCancel(_:)``.
    @_alwaysEmitIntoClient @discardableResult
    public consuming func always(
        @_inheritActorContext _ handler: @escaping @Sendable @isolated(any) () -> Void
    ) -> Future {
        always(on: .inferred(from: handler.isolation), Closure(.isolated(handler)).call)
    }

    /// ``always(_:)`` with `handler` called on `scheduler`.
    @_alwaysEmitIntoClient @discardableResult
    public consuming func always(on scheduler: Scheduler, _ handler: @escaping @Sendable () -> Void) -> Future {
        handling(.results, on: scheduler, handler)
    }

    /// Calls `handler` for a result of the `wanted` kinds or for a cancellation, whichever is first.
    @inlinable
    consuming func handling(
        _ wanted: Traits, on scheduler: Scheduler, _ handler: @escaping @Sendable () -> Void
    ) -> Future {
        Future(
            node: .step(from: node, on: scheduler, [wanted, .cancels], Closure(handler)) { node, call in
                guard call == .arrived else { return node.closure.call() }
                let source = node.arrived
                if node.wants(source) {
                    guard node.tryBegin() else { return }
                    node.closure.call()
                }
                node.settleInJob(as: source)
            })
    }
}
