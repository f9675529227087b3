// Deadlocks: operations that wait for each other's turns, through futures.

extension Locked<LineState>: WatchedState {
    func breakDeadlocks(always: Bool) -> Bool {
        guard let line = withLock({ $0.watchedLine() }) else { return false }
        for running in withLock({ $0.suspects(always: always) }) { line.breakDeadlock(of: running) }
        return true
    }

    func endWatch() { withLock { $0.watched = nil } }
}

extension Line {
    /// Has a watchdog look at this line, in which `node` waits, until nothing waits in it.
    func watch(behind node: LineNode) {
        #if EXPLORING
            if explorer != nil { return }
        #endif
        let own = node.scheduler.takeUnretainedValue().backend.watchdog
        (own ?? Scheduler.current.backend.watchdog ?? .real).watch(state)
    }

    /// Fails the first of these operations that waits for itself, by way of turns.
    ///
    /// A node that waits does so until it completes, and an operation that has its turn does not get it again. So if a
    /// second walk finds the same waits, all of them lasted from one walk to the other, and there is a deadlock.
    fileprivate func breakDeadlock(of running: [LineNode]) {
        if running.isEmpty { return }
        let walk = Walk(from: running)
        state.withLock { $0.pauseWatch(afterVisiting: walk.nodes.count) }
        let stuck = walk.stuck
        for index in running.indices where stuck.contains(index) {
            guard let way = walk.way(from: index, through: stuck, to: { $0 == index }),
                let waiting = way.first(where: walk.waitingForTurn.contains)
            else { continue }
            guard walk.waitsAlike(stuck, Walk(from: running)) else { return }
            return running[index].giveUp(Self.deadlock(running[index].origin, before: walk.nodes[waiting]))
        }
    }

    /// An operation that waits for its line to be empty waits for itself.
    static func deadlock(_ origin: FutureError.SourceLocation, before end: Node) -> QueueError {
        .deadlock(running: origin, waiting: end.lineNode.awaitsEmptiness ? origin : end.origin)
    }

    /// Throws if `node`, for which the cleanup of an operation waits, cannot complete before the operation's turn ends.
    /// Nothing would ever end that wait: nothing cancels a cleanup.
    func check(_ node: Node, awaitedInTurnOf lane: Lane?, _ origin: FutureError.SourceLocation) throws {
        guard !node.isSettled, state.withLock({ $0.isAwaited }) else { return }
        let walk = Walk(from: [node], isBlocked: { needsTurn($0, of: lane) })
        guard let end = walk.blocked.min(), walk.stuck.contains(0) else { return }
        throw Self.deadlock(origin, before: walk.nodes[end])
    }

    /// Whether a node waits until the only operation of a lane that has its turn has ended.
    private func needsTurn(_ node: Node, of lane: Lane?) -> Bool {
        guard let node = node.queued as? LineNode, node.line === self, node.timeLimits?.maxWaiting == nil
        else { return false }
        return state.withLock { state in
            node.position == .waiting
                && (node.awaitsEmptiness || node.kind == .operation && node.lane === lane && state.isOneAtATime)
        }
    }
}

extension LineState {
    /// Whether something waits in this line, or for it to be empty.
    var isAwaited: Bool { waitingCount > 0 || awaitsEmptiness }

    /// Whether a future waits for this line to be empty.
    private var awaitsEmptiness: Bool { !forEmptiness.isEmpty }

    /// The nodes that have turns in a lane or, if that is nil, in all lanes, and how many of those turns have to end at
    /// least, the heaviest first, to free `needed` of the weight that all turns have.
    private func taken(
        _ lane: Lane?, needed: Int, of all: Int, weight: (LineNode) -> Int = { _ in 1 }
    ) -> (nodes: [Node], count: Int) {
        let nodes = lanes(lane).flatMap { self[$0].running() }
        let weights = nodes.map(weight).sorted(by: >)
        // Others have the turns that are not listed, such as permits, and may end.
        var (missing, count) = (needed - (all - weights.reduce(0, +)), 0)
        for weight in weights where missing > 0 { (missing, count) = (missing - weight, count + 1) }
        return (nodes, count)
    }

    /// The turns that have to end before a node that waits gets its own, or before this line is empty. Returns nil if
    /// anything else may end its wait.
    func turnsAhead(of node: LineNode) -> (nodes: [Node], count: Int)? {
        guard node.position == .waiting, node.kind != .capacity, node.timeLimits?.maxWaiting == nil else { return nil }
        let lane = self[node.lane]
        if node.awaitsEmptiness { return taken(nil, needed: runningCount, of: runningCount) }
        if isPaused || !hasToken || node.lane.map({ !hasToken(for: $0) }) ?? false { return nil }
        if lane.turns >= laneLimit { return taken(node.lane, needed: lane.turns - laneLimit + 1, of: lane.turns) }
        // Of a key, only if the operations of other keys have no turns.
        guard lane.turns == runningCount, let weight = lastingWeight else { return nil }
        let needed = min(weight, limit) - (limit - runningWeight)
        return needed > 0 ? taken(node.lane, needed: needed, of: runningWeight, weight: \.weight) : nil
    }

    /// The line, to be looked at by its watchdog; nil if nothing waits in it. Then it has to be watched anew.
    mutating func watchedLine() -> Line? {
        if !isAwaited { watched = nil }
        // What waits retains the line.
        return watched?.takeUnretainedValue()
    }

    /// The operations that have their turn in each lane that may be part of a deadlock: something waits. None if this
    /// look is left out, unless `always` is true.
    mutating func suspects(always: Bool) -> [[LineNode]] {
        if !always, watchPause > 0 {
            watchPause -= 1
            return []
        }
        let lanes = lanes()
        pauseWatch(afterVisiting: lanes.count)
        return lanes.filter { awaitsEmptiness || self[$0].isWaiting }.map { self[$0].running() }
    }

    /// Has the watchdog leave out looks, so that it takes a small part of the time.
    mutating func pauseWatch(afterVisiting count: Int) { watchPause = max(watchPause, min(count / 4096, 30)) }

    /// Whether at most one operation of a lane runs at a time, or only one has a turn now, beside which the next one does
    /// not fit.
    var isOneAtATime: Bool {
        limit == 1 || laneLimit == 1 || runningCount == 1 && lastingWeight.map { !fits($0) } ?? false
    }
}
