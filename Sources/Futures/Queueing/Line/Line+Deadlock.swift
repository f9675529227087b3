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
        if awaited(by: node, tag) != nil { breakDeadlock(tag) }
    }

    /// Fails one of those that run, if all of them wait for some that wait behind them.
    private func breakDeadlock(_ tag: Order.Tag) {
        var stuck: (node: Node, behind: Node)?
        for node in state.withLock({ $0.suspects(tag) }) {
            guard let behind = awaited(by: node, tag) else { return }
            if stuck == nil { stuck = (node, behind) }
        }
        if let (node, behind) = stuck {
            node.giveUp(QueueError.deadlock(running: node.origin, waiting: behind.origin))
        }
    }

    /// Throws if `node`, for which a cleanup of an operation of `origin` waits, waits itself for an operation behind that,
    /// where only one at a time has its turn. Nothing would ever end that: nothing cancels a cleanup.
    func checkCleanup(_ node: Node, _ tag: Order.Tag, _ origin: FutureError.Origin) throws {
        guard state.withLock({ $0.isOneAtATime(tag) }), let behind = awaited(by: node, tag) else { return }
        throw QueueError.deadlock(running: origin, waiting: behind.origin)
    }

    /// The node that waits in this line and that `node`, which runs, waits for: as far as that is known.
    ///
    /// What waits for several futures, such as a join, is not looked through. The answer is lasting: the nodes between
    /// wait for one each, and that for its turn.
    ///
    /// Searched from both ends, some steps by turns: the shorter way decides. Operations one inside of the other, such as
    /// batches or locks, have a long way up each, of a million steps for a million of them. But what waits in their lines
    /// is little, and little waits for that.
    private func awaited(by node: Node, _ tag: Order.Tag) -> Node? {
        var walk = WalkUp(from: node)
        var limit = 16
        while true {
            let waiting = state.withLock { $0.firstWaiting(tag, limit) }
            if waiting.isEmpty { return nil }
            if walk.goOn(limit) {
                guard let end = walk.end, end.queue == identity(tag) else { return nil }
                return state.withLock { $0.isWaiting(end.node) } ? end.node : nil
            }
            if waiting.count < limit, case .known(let found) = Node.awaited(by: node, of: waiting, limit) {
                return found
            }
            limit *= 4
        }
    }
}

/// A walk from a node to the one that it waits for, and so on, to one that waits for its turn.
private struct WalkUp {
    /// The node that waits for its turn, if it has come to one.
    private(set) var end: (node: Node, queue: ObjectIdentifier)?
    private var current: Node?
    // Futures that wait for each other in a circle would keep this going: it stops when it comes back to a node.
    private var seen: Node?
    private var steps = 0
    private var next = 1

    init(from node: Node) {
        current = node
        seen = node
    }

    /// Goes on for that many steps; true if the walk is over.
    mutating func goOn(_ limit: Int) -> Bool {
        for _ in 0..<limit {
            guard let node = current, let listeners = node.lock() else { return true }
            let isQueued = node.traits.contains(.queued) && !node.hasBegun
            // Under the lock, as a result will be in its place.
            if isQueued { end = (node, node.queue) }
            let upstream = node.upstream
            node.unlock(listeners)
            if isQueued { return true }
            current = upstream
            if current === seen { return true }
            steps += 1
            if steps == next { (seen, next) = (current, 2 * next) }
        }
        return false
    }
}

extension Node {
    fileprivate enum Answer {
        case known(Node?)
        case unknown
    }

    /// Which of `nodes` this one waits for: as `WalkUp`, from the other end; unknown if that takes more steps.
    fileprivate static func awaited(by node: Node, of nodes: [Node], _ limit: Int) -> Answer {
        var rest = limit
        for waiting in nodes {
            var ahead = [waiting]
            while let next = ahead.popLast() {
                if next === node { return .known(waiting) }
                guard let listeners = next.lock() else { continue }
                // The listeners of a dormant node may be in their deinit.
                let theirs = next.isDormant ? [] : listeners.prefix(rest)
                next.unlock(listeners)
                rest -= theirs.count
                if rest <= 0 { return .unknown }
                ahead += theirs
            }
        }
        return .known(nil)
    }
}
