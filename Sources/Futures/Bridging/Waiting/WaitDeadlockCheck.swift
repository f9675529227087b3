// WaitDeadlockCheck: finds out whether a thread that waits blocks what it waits for.

/// Finds what a future needs and the calling thread blocks: a scheduler, or a turn in a queue. Not every dependency is
/// visible to it.
struct WaitDeadlockCheck {
    enum Obstacle {
        case scheduler(Scheduler)
        /// `waiting` cannot start before `running` has ended.
        case turn(running: LineNode, waiting: LineNode)
    }

    /// Whether the thread runs the work of the main queue while it waits.
    let servesMain: Bool
    /// The results for combinations; nil also while a combination is examined. A future may be part of many
    /// combinations.
    private var known: [ObjectIdentifier: Obstacle?] = [:]
    private var turns = BlockedTurns()

    /// The maximum depth of nested combinations, as this recurses.
    private static let depth = 100

    init(servesMain: Bool) { self.servesMain = servesMain }

    /// Returns what `node` needs and this thread blocks: the scheduler of a step that waits for a value, or the turn of
    /// an operation.
    mutating func obstacle(of node: Node, depth: Int = 0) -> Obstacle? {
        var walk = UpstreamWalk(from: node)
        while let (node, dependency) = walk.next() {
            if dependency.waitsForTurn, let running = turns.operation(ahead: node) {
                return .turn(running: running, waiting: node.lineNode)
            }
            for scheduler in [dependency.neededScheduler, dependency.disposalScheduler] {
                if let scheduler, blocks(scheduler) { return .scheduler(scheduler) }
            }
            // Its timer can end it.
            if dependency.hasInner, let timer = node.timerScheduler, !blocks(timer) { return nil }
            if let needs = dependency.needs { return obstacle(of: dependency, needs, node, depth) }
        }
        return nil
    }

    /// Returns what this thread blocks and a combination cannot settle without.
    private mutating func obstacle(
        of dependency: Dependency, _ needs: Combination.Needs, _ node: Node, _ depth: Int
    ) -> Obstacle? {
        let (awaited, open, count) = (dependency.children, dependency.openChildren, dependency.count)
        let id = ObjectIdentifier(node)
        if let found = known[id] { return found }
        guard depth < Self.depth else { return nil }
        known.updateValue(nil, forKey: id)
        var found: Obstacle?
        switch needs {
        case .allOfThem: found = first(of: open, depth + 1)
        case .oneOfThem: found = count <= awaited.count ? last(of: open, depth + 1) : nil
        case .oneOfThemOrTimer(let scheduler):
            found = blocks(scheduler) ? last(of: open, besides: scheduler, depth + 1) : nil
        }
        // One of them may have completed the combination meanwhile.
        if node.dependency == nil { found = nil }
        known.updateValue(found, forKey: id)
        return found
    }

    /// Returns the first obstacle of one of the nodes.
    private mutating func first(of nodes: [Node], _ depth: Int) -> Obstacle? {
        for node in nodes { if let found = obstacle(of: node, depth: depth) { return found } }
        return nil
    }

    /// Returns an obstacle if every node has one, apart from those that never complete. If all are such nodes, returns
    /// `timer`, the blocked scheduler of a timer that could complete the combination.
    private mutating func last(of nodes: [Node], besides timer: Scheduler? = nil, _ depth: Int) -> Obstacle? {
        var last = timer.map(Obstacle.scheduler)
        for node in nodes where !node.waitsForNever {
            guard let found = obstacle(of: node, depth: depth) else { return nil }
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
    /// Whether this node waits for `Future.never`, so that only a cancel can end it.
    fileprivate var waitsForNever: Bool {
        var walk = UpstreamWalk(from: self)
        while let (_, dependency) = walk.next() { if dependency.isNever { return true } }
        return false
    }

    /// The scheduler of the timer that ends this node once it runs, if there is one.
    fileprivate var timerScheduler: Scheduler? {
        guard let node = queued as? LineNode, let limits = node.timeLimits, limits.maxRunning != nil else { return nil }
        return limits.scheduler(of: node)
    }
}
