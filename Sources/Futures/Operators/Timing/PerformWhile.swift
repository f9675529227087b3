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
    /// - Returns: A future with the same result, which completes after the disposable was disposed. If it is cancelled,
    ///   it completes immediately, and the disposable is disposed when the scheduler gets to it.
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
            node: .combined([node]) { node, children in
                let source = children[0]
                guard !source.hasSettled else {
                    node.settleFromOutside(as: source)
                    return nil
                }
                let work = WorkWhilePending(for: source, on: scheduler, after: delay ?? .zero, work)
                let end = Future(node: source).ending(work, on: scheduler).node
                let listener = Node.listener(to: end, for: node, handler: Node.completingParent)
                work.begin(after: ThreadState.here)
                return DetachListeners([listener], stopping: work)
            })
    }

    /// Returns a future with the same result, which completes when `work` has ended on `scheduler`. A cancel ends the
    /// work, too.
    private func ending(_ work: WorkWhilePending, on scheduler: Scheduler) -> Future {
        Future(
            node: .step(from: node, on: scheduler, [.results, .cancels], Closure(Producing { work.end() })) {
                node, call in
                let end = node.closure.load(as: Producing<Future<Void>?>.self).call
                guard call == .arrived else { return _ = try? end() }
                guard node.tryBegin() else { return }
                let source = node.arrived
                guard let end = try? end() else { return node.settleInJob(as: source) }
                let result = source.result(as: Value.self)
                node.follow { end.step(on: .inPlace, .results) { _ in .result(result) } }
            })
    }
}
