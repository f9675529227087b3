// Deadlocks: operations that wait for each other's turns, through futures.

extension Line {
    /// Has a watchdog look at this line, in which `node` waits, until nothing waits in it.
    func watch(behind node: LineNode) {
        #if EXPLORING
            if explorer != nil { return }
        #endif
        let own = node.scheduler.takeUnretainedValue().backend.watchdog
        (own ?? Scheduler.current.backend.watchdog ?? .real).watch(state)
    }

    /// The turns that have to end before a node that waits in this line gets its own, or before the line is empty.
    /// Returns nil if anything else may end its wait.
    func turnsAhead(of node: LineNode) -> TurnsAhead? {
        guard let (turns, needed) = state.withLock({ $0.turnsAhead(of: node) }) else { return nil }
        let nodes = turns.nodes
        // Others have the turns that are not listed, such as permits, and may end.
        return TurnsAhead(nodes: nodes, needed: max(0, needed - (turns.count - nodes.count)))
    }

    /// Fails one operation of each deadlock in which operations that wait here take part.
    ///
    /// - Parameter always: Whether to look also at operations of which others have started since the last look.
    func breakDeadlocks(always: Bool) {
        for turns in state.withLock({ $0.suspects(always: always) }) { breakDeadlock(of: turns.nodes) }
    }

    /// Fails the first of these operations that waits for itself, by way of turns.
    ///
    /// A node that waits does so until it completes, and an operation that has its turn does not get it again. So if a
    /// second walk finds the same waits, all of them lasted from one walk to the other, and there is a deadlock.
    private func breakDeadlock(of running: [LineNode]) {
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

    /// Returns what checks the cleanup of an operation that has its turn. It throws if the node for which the cleanup
    /// waits cannot complete before the turn ends. Nothing would ever end that wait: nothing cancels a cleanup.
    func cleanupCheck(of operation: LineNode?, _ origin: FutureError.SourceLocation) -> @Sendable (Node) throws -> Void
    {
        let lane = operation?.lane
        return { [self] node in
            guard !node.isSettled, state.withLock({ $0.isAwaited }) else { return }
            let walk = Walk(from: [node], isBlocked: { needsTurn($0, of: lane) })
            guard let end = walk.blocked.min(), walk.stuck.contains(0) else { return }
            throw Self.deadlock(origin, before: walk.nodes[end])
        }
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
