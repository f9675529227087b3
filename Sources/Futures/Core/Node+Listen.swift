// Listening: how a node hears of another one, and what it does then.

extension Node {
    /// The node that this one listens to while it is pending.
    var upstream: Node? {
        if let inner { return inner }
        if case .step(let source) = origin { return source }
        return nil
    }

    /// What the node that this one listened to has settled with.
    func arrived<T: Sendable>(as type: T.Type) -> Result<T, any Error> {
        upstream!.settledResult(as: type)
    }

    /// Makes a node that transforms what `source` settles with, and attaches it.
    static func step(
        from source: Node, on scheduler: Scheduler, _ traits: Traits,
        operation: @escaping @Sendable (Node, Call) -> Void
    ) -> Node {
        let node = Node(.step(source), on: scheduler, traits, operation: operation)
        if source.add(node) == .settled { ThreadState.here.serve(node) }
        return node
    }

    /// Calls `handler` in place when `source` has settled, or the listener that is returned was cancelled before:
    /// then not at all.
    static func listener(
        to source: Node, _ traits: Traits = [], handler: @escaping @Sendable (_ source: Node) -> Void
    ) -> Node {
        step(from: source, on: .immediate, traits) { node, _ in
            handler(node.upstream!)
            node.finish(.success(()))
        }
    }

    /// Goes on as what `future` settles with. The last step of a node's job.
    func wait(for future: Node) {
        guard future !== self else { return finish(Result<Never, _>.failure(FutureError.awaitsItself)) }
        guard let listeners = lock() else { return future.cancel() }
        // Still set from the source's list, which is gone.
        isListed = false
        inner = future
        unlock(listeners)
        switch future.add(self) {
        case .listed: break
        case .settled: ThreadState.here.serveNext(JobList(self))
        case .left: future.cancel()
        }
    }

    var needsScheduler: Bool {
        guard inner == nil else { return false }
        guard case .step(let source) = origin else { return true }
        return traits.contains(source.outcome)
    }
}

extension Node {
    enum Addition {
        /// It will be served when this node settles.
        case listed
        /// This node has settled: there is nothing to wait for.
        case settled
        /// The listener was cancelled meanwhile.
        case left
    }

    /// Adds a listener.
    func add(_ listener: Node) -> Addition {
        guard !traits.contains(.never) else { return .listed }
        guard var listeners = lock() else { return .settled }
        // A cancel settles the listener before it looks for it in this list, under this lock: so either it finds
        // it there, or it is seen here.
        guard !listener.isSettled else {
            unlock(listeners)
            return .left
        }
        listeners.add(listener)
        unlock(listeners)
        return .listed
    }

    /// Takes a listener out; false if it is in this list no more, or not yet.
    func remove(_ listener: Node) -> Bool {
        guard var listeners = lock() else { return false }
        guard listener.isListed else {
            unlock(listeners)
            return false
        }
        listeners.remove(listener)
        unlock(listeners)
        Unmanaged.passUnretained(listener).release()
        return true
    }
}
