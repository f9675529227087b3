// Deadlocks: operations that wait for others which cannot begin before they are over.

extension Line {
    /// To be called when `node` got a listener, by which one that runs may wait for it from now on: looks for a deadlock
    /// after the callback in progress, when what that returns is known.
    func detectDeadlock(before node: Node, _ tag: Order.Tag) {
        // From outside of callbacks, nobody returns a future that another one waits for.
        guard ThreadState.here.isServing, state.withLock({ $0.isSuspicious(of: node, tag) }) else { return }
        ThreadState.here.serveNext(JobList(ClosureJob { self.breakDeadlock(tag) }))
    }

    /// To be called when `node` has begun to wait for its inner node.
    func detectDeadlock(of node: Node, _ tag: Order.Tag) {
        if awaited(by: node, in: identity(tag)) != nil { breakDeadlock(tag) }
    }

    /// Fails one of those that run, if all of them wait for some that wait behind them.
    private func breakDeadlock(_ tag: Order.Tag) {
        let identity = identity(tag)
        var stuck: (node: Node, behind: Node)?
        for node in state.withLock({ $0.suspects(tag) }) {
            guard let behind = awaited(by: node, in: identity) else { return }
            if stuck == nil { stuck = (node, behind) }
        }
        if let (node, behind) = stuck {
            node.giveUp(QueueError.deadlock(running: node.origin, waiting: behind.origin))
        }
    }

    /// The node that waits in this line and that `node`, which runs, waits for: as far as that is known.
    ///
    /// What waits for several futures, such as a join, is not looked through. The answer is lasting: the nodes between
    /// wait for one each, and that for its turn.
    private func awaited(by node: Node, in queue: ObjectIdentifier) -> Node? {
        var current: Node? = node
        // Futures that wait for each other in a circle would keep this going: it stops when it comes back to a node.
        var (seen, steps, next) = (current, 0, 1)
        while let node = current, let listeners = node.lock() {
            let isQueued = node.traits.contains(.queued) && !node.hasBegun
            let isHere = isQueued && node.queue == queue
            let upstream = node.upstream
            node.unlock(listeners)
            if isQueued { return isHere && state.withLock({ $0.isWaiting(node) }) ? node : nil }
            current = upstream
            if current === seen { return nil }
            steps += 1
            if steps == next { (seen, next) = (current, 2 * next) }
        }
        return nil
    }
}
