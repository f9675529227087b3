// Deadlocks: operations that wait for each other's turns, through futures.

extension Line {
    /// Has a watchdog look at this line, in which `node` waits, until nothing waits in it.
    func watch(behind node: LineNode) {
        #if EXPLORING
            if explorer != nil { return }
        #endif
        let clocks = [node.scheduler.takeUnretainedValue(), .current].lazy.compactMap {
            $0.backend as? any ClockWithWatchdog
        }
        (clocks.first?.watchdog ?? .real).watch(state)
    }

    /// An operation that waits for its line to be empty waits for itself.
    static func deadlock(_ origin: FutureError.SourceLocation, before end: Node) -> QueueError {
        .deadlock(running: origin, waiting: end.lineNode.awaitsEmptiness ? origin : end.origin)
    }
}

extension Locked<LineState> {
    /// Fails an operation of each deadlock in which operations that wait in the line take part. Returns false if
    /// nothing waits in it: then nothing looks at it.
    func breakDeadlocks(always: Bool) -> Bool {
        let isWatched = withLock { state in
            if !state.isAwaited { state.isWatched = false }
            return state.isWatched
        }
        guard isWatched else { return false }
        for running in withLock({ $0.suspects(always: always) }) { breakDeadlock(of: running) }
        return true
    }

    /// Notes that nothing looks at the line any more.
    func endWatch() { withLock { $0.isWatched = false } }

    /// Fails the first of these operations that waits for itself, by way of turns.
    ///
    /// A node that waits does so until it completes, and an operation that has its turn does not get it again. So if a
    /// second walk finds the same waits, all of them lasted from one walk to the other, and there is a deadlock.
    private func breakDeadlock(of running: [LineNode]) {
        if running.isEmpty { return }
        let walk = Walk(from: running)
        withLock { $0.pauseWatch(afterVisiting: walk.nodes.count) }
        let stuck = walk.stuck
        for index in running.indices where stuck.contains(index) {
            guard let way = walk.way(from: index, through: stuck, to: { $0 == index }),
                let waiting = way.first(where: walk.waitingForTurn.contains)
            else { continue }
            guard walk.waitsAlike(stuck, Walk(from: running)) else { return }
            running[index].end(with: Line.deadlock(running[index].origin, before: walk.nodes[waiting]))
            return
        }
    }
}

extension Walk {
    /// Whether the nodes of `stuck` wait for the same ones as in `other`.
    fileprivate func waitsAlike(_ stuck: Set<Int>, _ other: Walk) -> Bool {
        stuck.allSatisfy { index in
            guard let same = other.indices[ObjectIdentifier(nodes[index])], missing[index] == other.missing[same]
            else { return false }
            return waitsFor[index].map { nodes[$0] }.elementsEqual(
                other.waitsFor[same].map { other.nodes[$0] }, by: ===)
        }
    }
}

extension LineState {
    /// Whether something waits in this line, or for it to be empty.
    var isAwaited: Bool { waitingCount > 0 || awaitsEmptiness }

    /// Whether a future waits for this line to be empty.
    private var awaitsEmptiness: Bool { !forEmptiness.isEmpty }

    /// The nodes that have the turns for which a node waits, and how many of those have to end at least before it gets its
    /// own, or before this line is empty. Returns nil if anything else may end its wait.
    func turnsAhead(of node: LineNode) -> (nodes: [Node], count: Int)? {
        guard node.position == .waiting, node.kind != .capacity, node.timeLimits?.maxWaiting == nil else { return nil }
        if node.awaitsEmptiness {
            let nodes = lanes().flatMap { self[$0].running() }
            return (nodes, nodes.count)
        }
        let lane = self[node.lane]
        // Of a key that is not full only if no other keys have turns, which may end.
        guard lane.turns >= laneLimit || lane.turns == runningCount && isHeavyNext else { return nil }
        let nodes = lane.running()
        // Others have the turns that are not listed, such as permits, and may end.
        return (nodes, nodes.count == lane.turns ? 1 : 0)
    }

    /// Whether a pause or a rate keeps the operations of a lane from starting, however many turns end.
    package func startsNothing(of lane: Lane?) -> Bool {
        isPaused || !hasToken || lane.map { $0.isPaused || !hasToken(for: $0) } ?? false
    }

    /// Whether the next operation does not fit beside those that run. If a time limit may end its wait, whether no other
    /// one fits.
    private var isHeavyNext: Bool {
        guard let lane = isKeyed ? ready.first?.state : onlyLane, let weight = lane.nextWeight else { return false }
        return min(lane.nextWaiting.timeLimits?.maxWaiting == nil ? weight : 1, limit) > limit - runningWeight
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
}
