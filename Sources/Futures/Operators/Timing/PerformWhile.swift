// performWhile: an activity that lasts as long as a future is pending.

extension Future {
    /// Calls `work` while this future is pending, and disposes what it returns when this future completes or is
    /// cancelled.
    ///
    ///     page(at: url).performWhile(delayBy: .seconds(1)) { showSpinner() }
    ///
    /// If this future has completed before the call, `work` is not called. Each repetition calls it anew.
    ///
    /// - Parameters:
    ///   - delay: How long to wait before `work` is called: not at all if nil, zero or negative. If this future
    ///     completes meanwhile, `work` is not called.
    ///   - work: Starts the activity and returns a disposable that ends it. Both are called on the closure's actor, or
    ///     else on the current scheduler.
    /// - Returns: A future with the same result, which completes after the disposable was disposed. If it is cancelled, it
    ///   completes immediately, and the disposable is disposed when the scheduler gets to it. On a concurrent scheduler,
    ///   `work` may still be in progress when this future completes; its disposable is then disposed when it has
    ///   returned.
    @_alwaysEmitIntoClient @discardableResult
    public func performWhile(
        delayBy delay: Duration? = nil,
        @_inheritActorContext _ work: @escaping @Sendable @isolated(any) () -> any Disposable
    ) -> Future {
        let (scheduler, work) = isolated(work)
        return performWhile(on: scheduler, delayBy: delay, work)
    }

    /// `performWhile` with `work` and its disposal on `scheduler`, which also measures the delay.
    @usableFromInline @discardableResult
    package func performWhile(
        on scheduler: Scheduler, delayBy delay: Duration? = nil, _ work: @escaping @Sendable () throws -> any Disposable
    ) -> Future {
        let node = Node.combined([node]) { node, children in
            let source = children[0]
            guard !source.hasSettled else {
                node.settleFromOutside(as: source)
                return nil
            }
            // Starts behind the job in progress: in a repetition, where that starts the combination, a cancel by another
            // thread would reach the source only when the work has returned.
            let activity = Future<Void>().delay(by: delay, on: scheduler).flatMap(on: scheduler) {
                // The source may have completed, and its step is on its way to this scheduler.
                guard !source.hasSettled else { return Future<Void>() }
                // It never completes by itself.
                let working = Node.operation(on: scheduler) { _ in
                    let disposable = try work()
                    return Disposer(on: scheduler) { disposable.dispose() }
                }
                working.start()
                return Future<Void>(node: working)
            }
            let end = Future(node: source).step(on: scheduler, .results) { result in
                activity.cancel()
                return .result(result)
            }
            let listener = Node.listener(to: end.node, for: node, handler: Node.completingParent)
            return DetachListeners([listener], cancelling: activity.node)
        }
        return Future(node: node)
    }
}
