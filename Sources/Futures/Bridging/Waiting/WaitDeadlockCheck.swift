// WaitDeadlockCheck: finds out whether a thread that waits blocks what it waits for.

/// Finds a scheduler that a future needs and the calling thread blocks. Not every dependency is visible to it.
struct WaitDeadlockCheck {
    /// Whether the thread runs the work of the main queue while it waits.
    let servesMain: Bool
    /// The results for combinations; nil also while a combination is examined. A future may be part of many
    /// combinations.
    private var known: [ObjectIdentifier: Scheduler?] = [:]

    /// The maximum depth of nested combinations, as this recurses.
    private static let depth = 100

    init(servesMain: Bool) { self.servesMain = servesMain }

    /// Returns the blocked scheduler that `node` needs: that of a step that waits for a value.
    mutating func scheduler(of node: Node, depth: Int = 0) -> Scheduler? {
        var walk = UpstreamWalk(from: node)
        while let (node, dependency) = walk.next() {
            if let scheduler = dependency.neededScheduler, blocks(scheduler) { return scheduler }
            // Its timer can end it.
            if dependency.hasInner, let timer = node.timerScheduler, !blocks(timer) { return nil }
            if let needs = dependency.needs { return self.scheduler(of: dependency, needs, node, depth) }
        }
        return nil
    }

    /// Returns the blocked scheduler without which a combination cannot settle.
    private mutating func scheduler(
        of dependency: Dependency, _ needs: Combination.Needs, _ node: Node, _ depth: Int
    ) -> Scheduler? {
        let (awaited, open, count) = (dependency.children, dependency.openChildren, dependency.count)
        let id = ObjectIdentifier(node)
        if let found = known[id] { return found }
        guard depth < Self.depth else { return nil }
        known.updateValue(nil, forKey: id)
        var found: Scheduler?
        switch needs {
        case .allOfThem: found = first(of: open, depth + 1)
        case .oneOfThem: found = count <= awaited.count ? last(of: open, depth + 1) : nil
        case .oneOfThemOrTimer(let scheduler):
            found = blocks(scheduler) ? last(of: open, besides: scheduler, depth + 1) : nil
        case .firstOrTimerAndSecond(let scheduler):
            if open.first !== awaited.first {
                // The timer has expired.
                found = last(of: open, depth + 1)
            } else if blocks(scheduler) {
                found = last(of: [awaited[0]], besides: scheduler, depth + 1)
            } else {
                found = open.count == awaited.count ? last(of: open, depth + 1) : nil
            }
        }
        // One of them may have completed the combination meanwhile.
        if node.dependency == nil { found = nil }
        known.updateValue(found, forKey: id)
        return found
    }

    /// Returns the first blocked scheduler that one of the nodes needs.
    private mutating func first(of nodes: [Node], _ depth: Int) -> Scheduler? {
        for node in nodes { if let found = scheduler(of: node, depth: depth) { return found } }
        return nil
    }

    /// Returns a blocked scheduler if every node needs one, apart from those that never complete. If all are such
    /// nodes, returns `timer`, the blocked scheduler of a timer that could complete the combination.
    private mutating func last(of nodes: [Node], besides timer: Scheduler? = nil, _ depth: Int) -> Scheduler? {
        var last = timer
        for node in nodes where node.dependency?.isUnreachable != true {
            guard let found = scheduler(of: node, depth: depth) else { return nil }
            last = found
        }
        return last
    }

    private func blocks(_ scheduler: Scheduler) -> Bool {
        guard scheduler.backend.isSerial, !(servesMain && scheduler == .main) else { return false }
        // A `perform` blocks nothing: other threads can run the scheduler's jobs meanwhile.
        return scheduler.isHeld
    }
}

extension Node {
    /// The scheduler of the timer that ends this node once it runs, if there is one.
    fileprivate var timerScheduler: Scheduler? {
        guard let node = queued as? LineNode, let limits = node.timeLimits, limits.maxRunning != nil else { return nil }
        return limits.scheduler(of: node)
    }
}
