// Dependencies: what a pending node waits for, and what waits for it. All searches for deadlocks go these ways.

internal import Synchronization

/// What a pending node waits for, as its lock shows it.
struct Dependency {
    /// The node that it listens to.
    let upstream: Node?
    /// Whether it waits for the future that its closure has returned.
    let hasJoined: Bool
    /// Whether it waits for its turn in a queue.
    let waitsForTurn: Bool
    /// Whether it still needs its scheduler, if its source has a value or will have one.
    let needsScheduler: Bool
    /// What it combines, with the children, and how many of those may still settle it.
    let combination: Combination?
    let children: [Node]
    let count: Int
}

extension Node {
    /// What this node waits for; nil if it has settled.
    var dependency: Dependency? {
        guard let listeners = lock() else { return nil }
        defer { unlock(listeners) }
        let (upstream, combination) = (upstream, combination)
        return Dependency(
            upstream: upstream, hasJoined: inner != nil, waitsForTurn: waitsForTurn,
            needsScheduler: needsScheduler(listeningTo: upstream), combination: combination, children: awaited,
            count: combination == nil ? 0 : Int(number))
    }

    // A step that waits only for errors does not count, as values pass it without a hop.
    private func needsScheduler(listeningTo upstream: Node?) -> Bool {
        if inner != nil { return false }
        if traits.contains(.later) { return true }
        if traits.contains(.begins) { return !hasBegun }
        guard let upstream else { return traits.contains(.queued) }
        return traits.contains(upstream.isSettled ? Unmanaged.passUnretained(upstream).outcome : .values)
    }
}

/// A walk from a node to the one that it waits for, and so on, as far as each waits for one other.
struct UpstreamWalk: IteratorProtocol {
    private var current: Node?
    // Futures that wait for each other in a circle would keep this going: it stops when it comes back to a node
    // (Brent's algorithm).
    private var seen: Node?
    private var steps = 0
    private var limit = 1

    init(from node: Node) {
        current = node
        seen = node
    }

    /// The next node, which is pending, and what it waits for.
    mutating func next() -> (node: Node, dependency: Dependency)? {
        guard let node = current, let dependency = node.dependency else {
            current = nil
            return nil
        }
        current = dependency.upstream
        if current === seen { current = nil }
        steps += 1
        if steps == limit { (seen, limit) = (current, 2 * limit) }
        return (node, dependency)
    }
}

extension Node {
    /// What a search does at a node.
    enum Visit {
        case found
        /// Continue with the nodes that wait for this one, or not with those.
        case goOn, turnBack
    }

    /// Whether `visit` finds one of these nodes or of those downstream that wait for them, and are pending; nil if the
    /// search takes more than about `steps` steps, which are counted down. It is also told whether the node waits for
    /// its turn in a queue.
    static func searchDownstream(
        of nodes: [Node], _ steps: inout Int, _ visit: (_ node: Node, _ waitsForTurn: Bool) -> Visit
    ) -> Bool? {
        var ahead = nodes
        while let next = ahead.popLast() {
            guard let listeners = next.lock() else { continue }
            let waitsForTurn = next.waitsForTurn
            // The listeners of a dormant node may be in their deinit.
            let theirs = next.isDormant ? [] : listeners.prefix(steps)
            next.unlock(listeners)
            switch visit(next, waitsForTurn) {
            case .found: return true
            case .turnBack: continue
            case .goOn: break
            }
            steps -= theirs.count
            if steps <= 0 { return nil }
            ahead += theirs
        }
        return false
    }
}

extension Node {
    /// To be called when a node that is queued, or behind one that is, got a listener: if that waits for it to pass on its result, and
    /// so may come to wait for a turn only now, tells the node that waits for its turn.
    @inline(never)
    func tellQueue(of listener: Node, _ isWaiting: Bool, _ waitsForTurn: Bool) {
        guard isWaiting else {
            // Nobody else has the listener yet.
            listener.isBehindQueue.store(true, ordering: .relaxed)
            if waitsForTurn { queued?.gainedListener() }
            return
        }
        // Each node comes to this once, so it takes constant time for each.
        var steps = Int.max
        _ = Node.searchDownstream(of: [listener], &steps) { node, _ in
            node.isBehindQueue.exchange(true, ordering: .relaxed) ? .turnBack : .goOn
        }
        var walk = UpstreamWalk(from: self)
        for _ in 0..<Self.stepsToTurn {
            guard let (node, dependency) = walk.next() else { return }
            if dependency.waitsForTurn { return node.queued!.gainedListener() }
        }
    }

    /// How far upstream a node that waits for its turn is looked for when a wait begins. Each wait takes that time at
    /// most, whatever the length of the chain.
    private static var stepsToTurn: Int { 64 }
}
