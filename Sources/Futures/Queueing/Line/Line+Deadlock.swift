// Deadlocks: operations that wait for others behind them in the line, or for their own queue to be empty.

extension Line {
    /// To be called when `node` got a listener, by which one that runs may wait for it from now on: looks for a
    /// deadlock after the callback in progress, when what that returns is known.
    func detectDeadlock(before node: LineNode) {
        // Code outside of callbacks returns no future that an operation waits for.
        guard ThreadState.here.isServing, node.kind != .capacity else { return }
        guard node.kind == .operation else { return detectDeadlock(beforeEmptiness: node) }
        var lane: Lane?
        let isDue = state.withLock { state in
            guard state.isWaiting(node) else { return false }
            lane = node.lane
            return state.suspect(lane)
        }
        guard isDue else { return }
        ThreadState.here.serveNext(JobList(ClosureJob(.urgent) { [lane] in self.breakDeadlock(lane) }))
    }

    /// To be called when `node`, which waits for this line to be empty, got a listener: asks the operations that wait
    /// for it, of whatever lines, to look for a deadlock after the callback in progress.
    private func detectDeadlock(beforeEmptiness node: LineNode) {
        ThreadState.here.serveNext(
            JobList(
                // It calls nothing of the user's, so the turns behind it need not wait for the callbacks around it.
                ClosureJob(.urgent) { [self] in
                    // A search that is due comes after the callback, too.
                    if state.withLock({ $0.isEmptinessSuspected }) { return }
                    if !askOperations(behind: [node], limit: 64) { askLater() }
                }))
    }

    /// Asks all operations that wait for this line to be empty after a while, unless that is due anyway.
    private func askLater() {
        guard state.withLock({ $0.suspectEmptiness() }) else { return }
        Scheduler.unblocked.async(after: .milliseconds(50)) { [weak self] in
            guard let self else { return }
            _ = askOperations(behind: state.withLock { $0.takeSuspectsOfEmptiness() }, limit: .max)
        }
    }

    /// To be called when `node`, which has its turn, has begun to wait for its inner node, or may wait for this line to
    /// be empty.
    func detectDeadlock(of node: LineNode) {
        // Most operations wait for no other one.
        guard node.mayWaitForTurn else { return }
        // It does not change any more.
        let lane = node.lane
        switch awaited(by: node, lane, skippingSuspected: true) {
        case .known(nil): return
        case .known(let end?) where end.awaitsEmptiness: giveUp(node, before: end)
        case .known: breakDeadlock(lane)
        case .unknown: searchLater(lane)
        }
    }

    /// Fails one of the running operations if each of them waits for one that is behind it in the line, or that one
    /// waits for the line to be empty.
    func breakDeadlock(_ lane: Lane?, limit: Int = searchLimit) {
        var stuck: (node: LineNode, behind: LineNode)?
        guard let suspects = suspects(lane, limit) else { return searchLater(lane) }
        for node in suspects {
            // It gives up its turn in time, which may be what the others wait for.
            if suspects.count > 1, node.isTimed { return }
            switch awaited(by: node, lane, limit: limit) {
            case .known(nil): return
            case .known(let end?) where end.awaitsEmptiness: return giveUp(node, before: end)
            case .known(let behind?): if stuck == nil { stuck = (node, behind) }
            case .unknown: return searchLater(lane)
            }
        }
        if let (node, behind) = stuck { giveUp(node, before: behind) }
    }

    /// Returns the operations that have to release a turn before another one of this lane can start; nil if it takes
    /// more than about `limit` steps to find them.
    private func suspects(_ lane: Lane?, _ limit: Int) -> [LineNode]? {
        switch state.withLock({ $0.suspects(lane, atMost: limit == .max ? .max : suspectLimit) }) {
        case .none: []
        case .these(let nodes): nodes
        case .unlisted(let count): operations(lane, count, limit)
        case .tooMany: nil
        }
    }

    /// Returns the `count` operations of this lane that have their turn, if each of them waits for one that waits for
    /// its turn; none otherwise. Returns nil if it takes more than about `limit` steps to find them.
    ///
    /// A queue that was released does not retain its operations, so they are found from those behind them.
    private func operations(_ lane: Lane?, _ count: Int, _ limit: Int) -> [LineNode]? {
        var (found, operations, steps) = (Set<ObjectIdentifier>(), [LineNode](), limit)
        for end in state.withLock({ $0.firstWaiting(lane, limit) }) {
            let isFound = end.searchDownstream(&steps) { node, waitsForTurn in
                if !waitsForTurn, let node = node.queued as? LineNode, node.kind == .operation, node.line === self,
                    node.lane === lane, found.insert(ObjectIdentifier(node)).inserted
                {
                    operations.append(node)
                }
                return operations.count == count ? .found : .goOn
            }
            guard let isFound else { return nil }
            if isFound { return operations }
        }
        return []
    }

    private func giveUp(_ node: LineNode, before end: LineNode) { node.giveUp(Self.deadlock(node.origin, before: end)) }

    /// An operation that waits for its line to be empty waits for itself.
    static func deadlock(_ origin: FutureError.SourceLocation, before end: LineNode) -> QueueError {
        .deadlock(running: origin, waiting: end.awaitsEmptiness ? origin : end.origin)
    }

    /// Searches without a limit after a while, unless a search is due anyway.
    ///
    /// Searching at each operation that is added would take time in proportion to the number of operations, and to the
    /// length of the chains between them. A deadlock lasts, so it can be found a little later.
    private func searchLater(_ lane: Lane?) {
        guard state.withLock({ $0.suspect(lane) }) else { return }
        Scheduler.unblocked.async(after: .milliseconds(50)) { [weak self] in
            self?.breakDeadlock(lane, limit: .max)
        }
    }

    /// What checks the cleanup of an operation that has its turn. To be called in its job.
    func cleanupCheck(of operation: LineNode?, _ origin: FutureError.SourceLocation) -> @Sendable (Node) throws -> Void
    {
        let lane = operation?.lane
        return { [self] in try checkCleanup($0, lane, origin) }
    }

    /// Throws if `node`, for which a cleanup of an operation of `origin` waits, waits itself for an operation behind
    /// that, where only one at a time has its turn, or for the line to be empty. Nothing would ever end that: nothing
    /// cancels a cleanup.
    private func checkCleanup(_ node: Node, _ lane: Lane?, _ origin: FutureError.SourceLocation) throws {
        let isOneAtATime = state.withLock { $0.isOneAtATime }
        // A time limit of what the cleanup waits for ends the wait.
        guard !node.isTimed, isOneAtATime || state.withLock({ $0.awaitsEmptiness }),
            case .known(let end?) = awaited(by: node, lane, limit: .max),
            isOneAtATime || end.awaitsEmptiness
        else { return }
        throw Self.deadlock(origin, before: end)
    }

    /// Returns the node that waits in this line, or for it to be empty, and that `node`, which runs, waits for, as far
    /// as that is known.
    ///
    /// A node that waits for several futures, such as a join, ends the search, and so does a time limit. The answer is
    /// lasting: each node between waits for one other, and the last one for its turn.
    ///
    /// The search goes from both ends in turns, and the shorter way decides: nested operations such as batches or locks
    /// have a long way up, a million steps for a million of them, but few operations wait in their lines, and few nodes
    /// wait for those.
    ///
    /// - Parameters:
    ///   - limit: The number of steps from each end after which the answer is unknown, about.
    ///   - skippingSuspected: Whether to return nil if another search of this line is due.
    private func awaited(
        by node: Node, _ lane: Lane?, limit: Int = searchLimit, skippingSuspected: Bool = false
    ) -> Answer {
        var walk = UpstreamWalk(from: node)
        var steps = 16
        while true {
            let waiting = state.withLock {
                skippingSuspected && $0.isSuspected(lane) && !$0.awaitsEmptiness ? [] : $0.firstWaiting(lane, steps)
            }
            if waiting.isEmpty { return .known(nil) }
            for _ in 0..<steps {
                guard let (next, dependency) = walk.next() else { return .known(nil) }
                if dependency.waitsForTurn { return .known(waits(next, in: lane)) }
                // Its time limit ends the wait.
                if next.isTimed, next !== node { return .known(nil) }
            }
            if waiting.count < steps, case .known(let found) = awaited(by: node, of: waiting, steps) {
                return .known(found)
            }
            guard steps < limit else { return .unknown }
            steps *= 4
        }
    }

    private enum Answer {
        case known(LineNode?)
        case unknown
    }

    /// The node, if it waits in this lane, or for this line to be empty, and for any time: a time limit ends the wait.
    private func waits(_ node: Node, in lane: Lane?) -> LineNode? {
        guard let node = node.queued as? LineNode, node.line === self, node.timeLimits?.maxWaiting == nil
        else { return nil }
        let isMeant = state.withLock {
            $0.isWaiting(node) && (node.awaitsEmptiness || node.kind == .operation && node.lane === lane)
        }
        return isMeant ? node : nil
    }

    /// Which of these nodes that wait `node` waits for: from the other end, about `limit` steps.
    private func awaited(by node: Node, of waiting: [LineNode], _ limit: Int) -> Answer {
        var steps = limit
        for end in waiting where end.timeLimits?.maxWaiting == nil {
            let isFound = end.searchDownstream(&steps) { found, waitsForTurn in
                if found === node { return .found }
                return found.isTimed && !waitsForTurn ? .turnBack : .goOn
            }
            guard let isFound else { return .unknown }
            if isFound { return .known(end) }
        }
        return .known(nil)
    }

    /// Tells the operations of queues that have begun and wait for one of `nodes` that they may wait for themselves;
    /// false, and none is told, if it takes more than about `limit` steps to find them.
    private func askOperations(behind nodes: [LineNode], limit: Int) -> Bool {
        var (operations, steps) = ([LineNode](), limit)
        for node in nodes {
            let answer = node.searchDownstream(&steps) { node, waitsForTurn in
                if !waitsForTurn, let operation = node.queued as? LineNode { operations.append(operation) }
                return .goOn
            }
            if answer == nil { return false }
        }
        for operation in operations { operation.gainedInner() }
        return true
    }
}

/// The number of steps from each end after which a search is put off.
private let searchLimit = 1024

/// The number of operations that run beside each other from which on a search is put off, too.
private let suspectLimit = 64
