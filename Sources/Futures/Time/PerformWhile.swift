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
    /// - Returns: A future with the same result. It does not wait for the disposable, which is disposed on the same
    ///   scheduler: ahead of callbacks there.
    @_alwaysEmitIntoClient @discardableResult
    public func performWhile(
        delayBy delay: Duration? = nil,
        @_inheritActorContext _ work: @escaping @Sendable @isolated(any) () -> any Disposable
    ) -> Future {
        performWhile(on: .inferred(from: work.isolation), delayBy: delay, Producing(.isolated(work)).call)
    }

    /// `performWhile` with `work` and its disposal on `scheduler`, which also measures the delay.
    @usableFromInline @discardableResult
    package func performWhile(
        on scheduler: Scheduler, delayBy delay: Duration? = nil, _ work: @escaping @Sendable () throws -> any Disposable
    ) -> Future {
        Future(
            node: .accompanied(node, on: .inPlace) { node, _ in
                // Cancelled with the future: if that is done before the work has started, it never starts.
                let activity = Node.operation(on: scheduler) { _ in
                    let disposable = try? work()
                    return Disposer(on: scheduler) { disposable?.dispose() }
                }
                if Recording.hasExtras { activity.prepareToStart() }
                let timer = (delay ?? .zero) > .zero ? scheduler.async(after: delay!) { activity.start() } : nil
                node.keepFromNowOn {
                    timer?.dispose()
                    activity.cancel()
                }
                if timer == nil { ThreadState.here.serve(activity) }
            })
    }
}
