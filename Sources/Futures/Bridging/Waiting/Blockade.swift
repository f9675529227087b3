// Blockade: what a thread that waits keeps from running.

/// Finds the scheduler that the calling thread blocks and a future needs, as far as that is known.
struct Blockade {
    /// Whether the main queue is served meanwhile.
    let servesMain: Bool
    /// What was found behind combinations; nil also while they are looked at. One future may be in many.
    private var known: [ObjectIdentifier: Scheduler?] = [:]

    /// Combinations one inside of the other are looked at so deep: this recurses.
    private static let depth = 100

    init(servesMain: Bool) { self.servesMain = servesMain }

    /// The scheduler that `node` needs: what waits for a value wants its scheduler then. (What only wants an error may
    /// pass by, and does not count.)
    mutating func scheduler(of node: Node, depth: Int = 0) -> Scheduler? {
        var current: Node? = node.resolved
        // Futures that wait for each other in a circle would keep this going: it stops when it comes back to a node.
        var (seen, steps, next) = (current, 0, 1)
        while let node = current, let listeners = node.lock() {
            let upstream = node.upstream
            let wantsScheduler =
                if node.inner != nil {
                    false
                } else if node.traits.contains(.begins) {
                    if case .waiting = node.progress { true } else { false }
                } else if let upstream {
                    node.traits.contains(
                        upstream.isSettled ? Unmanaged.passUnretained(upstream).outcome : .values)
                } else {
                    node.traits.contains(.queued)
                }
            // Of a queued node the number belongs to the queue's lock.
            let combination = node.combination
            let count = combination == nil ? 0 : node.number
            node.unlock(listeners)
            let scheduler = node.scheduler.takeUnretainedValue()
            if wantsScheduler, blocks(scheduler) { return scheduler }
            if let combination { return self.scheduler(of: combination, node, Int(count), depth) }
            current = upstream
            if current === seen { return nil }
            steps += 1
            if steps == next { (seen, next) = (current, 2 * next) }
        }
        return nil
    }

    /// The scheduler without which the combination cannot settle, which `count` others may do.
    private mutating func scheduler(
        of combination: Combination, _ node: Node, _ count: Int, _ depth: Int
    ) -> Scheduler? {
        let id = ObjectIdentifier(node)
        if let found = known[id] { return found }
        guard depth < Self.depth else { return nil }
        known.updateValue(nil, forKey: id)
        let children = combination.children
        let found: Scheduler?
        switch combination.needs {
        case .allOfThem: found = first(of: children, depth + 1)
        case .oneOfThem: found = count <= children.count ? last(of: children, depth + 1) : nil
        case .oneOfThemOrTimer(let scheduler): found = blocks(scheduler) ? last(of: children, depth + 1) : nil
        }
        known.updateValue(found, forKey: id)
        return found
    }

    /// A scheduler that one of the nodes needs.
    private mutating func first(of nodes: [Node], _ depth: Int) -> Scheduler? {
        for node in nodes { if let found = scheduler(of: node, depth: depth) { return found } }
        return nil
    }

    /// A scheduler that a node needs, if each needs one.
    private mutating func last(of nodes: [Node], _ depth: Int) -> Scheduler? {
        var last: Scheduler?
        for node in nodes {
            guard let found = scheduler(of: node, depth: depth) else { return nil }
            last = found
        }
        return last
    }

    private func blocks(_ scheduler: Scheduler) -> Bool {
        guard scheduler.backend.isSerial, !(servesMain && scheduler == .main) else { return false }
        return ThreadState.here.isExecuting(scheduler) || scheduler.backend.isCurrent
    }
}
