// Deadlocks: operations that wait for others which cannot begin before they are over, or for their queue to be empty.

extension Line {
    /// To be called when `node` got a listener, by which one that runs may wait for it from now on: looks for a deadlock
    /// after the callback in progress, when what that returns is known.
    func detectDeadlock(before node: Node) {
        // From outside of callbacks, nobody returns a future that another one waits for.
        guard ThreadState.here.isServing else { return }
        var lane: Lane?
        let isDue = state.withLock { state in
            lane = state.lane(of: node)
            return state.isWaiting(node) && state.suspect(lane)
        }
        guard isDue else { return }
        ThreadState.here.serveNext(JobList(ClosureJob(.urgent) { [lane] in self.breakDeadlock(lane) }))
    }

    /// To be called when `node`, which waits for this line to be empty, got a listener: asks the operations that wait for
    /// it, of whatever lines, to look for a deadlock after the callback in progress.
    func detectDeadlock(beforeEmptiness node: Node) {
        guard ThreadState.here.isServing else { return }
        ThreadState.here.serveNext(
            JobList(
                // It calls nothing of the user's, so the turns behind it need not wait for the callbacks around it.
                ClosureJob(.urgent) { [self] in
                    // A search that is due comes after the callback, too.
                    if state.withLock({ $0.isEmptinessSuspected }) { return }
                    if !Node.askOperations(behind: [node], limit: 64) { askLater() }
                }))
    }

    /// Asks all operations that wait for this line to be empty after a while, unless that is due anyway.
    private func askLater() {
        guard state.withLock({ $0.suspectEmptiness() }) else { return }
        Scheduler.concurrentBackground.async(after: .milliseconds(50)) { [weak self] in
            guard let self else { return }
            _ = Node.askOperations(behind: state.withLock { $0.takeSuspectsOfEmptiness() }, limit: .max)
        }
    }

    /// To be called when `node`, which has its turn, has begun to wait for its inner node, or may wait for this line to be
    /// empty.
    func detectDeadlock(of node: Node, _ lane: Lane?) {
        switch awaited(by: node, lane, skippingSuspected: true) {
        case .known(nil): return
        case .known(let end?) where end.traits.contains(.awaitsEmptiness): giveUp(node, before: end)
        case .known: breakDeadlock(lane)
        case .unknown: searchLater(lane)
        }
    }

    /// Fails one of the running operations if each of them waits for one that is behind it in the line, or that one waits
    /// for the line to be empty.
    private func breakDeadlock(_ lane: Lane?, limit: Int = searchLimit) {
        var stuck: (node: Node, behind: Node)?
        guard let suspects = state.withLock({ $0.suspects(lane, atMost: limit == .max ? .max : suspectLimit) })
        else { return searchLater(lane) }
        for node in suspects {
            switch awaited(by: node, lane, limit: limit) {
            case .known(nil): return
            case .known(let end?) where end.traits.contains(.awaitsEmptiness): return giveUp(node, before: end)
            case .known(let behind?): if stuck == nil { stuck = (node, behind) }
            case .unknown: return searchLater(lane)
            }
        }
        if let (node, behind) = stuck { giveUp(node, before: behind) }
    }

    private func giveUp(_ node: Node, before end: Node) { node.giveUp(deadlock(node.origin, before: end)) }

    /// An operation that waits for its line to be empty waits for itself.
    private func deadlock(_ origin: FutureError.Origin, before end: Node) -> QueueError {
        .deadlock(running: origin, waiting: end.traits.contains(.awaitsEmptiness) ? origin : end.origin)
    }

    /// Searches without a limit after a while, unless a search is due anyway.
    ///
    /// Searching at each operation that is added would take time in proportion to the number of operations, and to the
    /// length of the chains between them. A deadlock lasts, so it can be found a little later.
    private func searchLater(_ lane: Lane?) {
        guard state.withLock({ $0.suspect(lane) }) else { return }
        Scheduler.concurrentBackground.async(after: .milliseconds(50)) { [weak self] in
            self?.breakDeadlock(lane, limit: .max)
        }
    }

    /// What checks the cleanup of an operation that has its turn. To be called in its job.
    func cleanupCheck(of operation: Node, _ origin: FutureError.Origin) -> @Sendable (Node) throws -> Void {
        let lane = lane(of: operation)
        return { [self] in try checkCleanup($0, lane, origin) }
    }

    /// Throws if `node`, for which a cleanup of an operation of `origin` waits, waits itself for an operation behind that,
    /// where only one at a time has its turn, or for the line to be empty. Nothing would ever end that: nothing cancels a
    /// cleanup.
    private func checkCleanup(_ node: Node, _ lane: Lane?, _ origin: FutureError.Origin) throws {
        let isOneAtATime = state.withLock { $0.isOneAtATime }
        guard isOneAtATime || state.withLock({ $0.awaitsEmptiness }),
            case .known(let end?) = awaited(by: node, lane, limit: .max),
            isOneAtATime || end.traits.contains(.awaitsEmptiness)
        else { return }
        throw deadlock(origin, before: end)
    }

    /// Returns the node that waits in this line, or for it to be empty, and that `node`, which runs, waits for, as far as
    /// that is known.
    ///
    /// A node that waits for several futures, such as a join, ends the search. The answer is lasting: each node between
    /// waits for one other, and the last one for its turn.
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
    ) -> Node.Answer {
        var walk = WalkUp(from: node)
        var steps = 16
        while true {
            let waiting = state.withLock {
                skippingSuspected && $0.isSuspected(lane) && !$0.awaitsEmptiness ? [] : $0.firstWaiting(lane, steps)
            }
            if waiting.isEmpty { return .known(nil) }
            if walk.goOn(steps) {
                guard let end = walk.end, end.queue == identity(lane) || end.queue == ObjectIdentifier(self)
                else { return .known(nil) }
                return .known(state.withLock { $0.isWaiting(end.node) } ? end.node : nil)
            }
            if waiting.count < steps, case .known(let found) = Node.awaited(by: node, of: waiting, steps) {
                return .known(found)
            }
            guard steps < limit else { return .unknown }
            steps *= 4
        }
    }
}

/// The number of steps from each end after which a search is put off.
private let searchLimit = 1024

/// The number of operations that run beside each other from which on a search is put off, too.
private let suspectLimit = 64

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
    /// Tells the queues' operations that have begun and wait for one of `nodes` that they may wait for themselves; false,
    /// and none is told, if it takes more steps than `limit`, about, to find them.
    fileprivate static func askOperations(behind nodes: [Node], limit: Int) -> Bool {
        var (operations, ahead, rest) = ([Node](), nodes, limit)
        while let next = ahead.popLast() {
            guard let listeners = next.lock() else { continue }
            if next.traits.contains(.queued), next.hasBegun { operations.append(next) }
            // The listeners of a dormant node may be in their deinit.
            let theirs = next.isDormant ? [] : listeners.prefix(rest)
            next.unlock(listeners)
            rest -= theirs.count
            if rest <= 0 { return false }
            ahead += theirs
        }
        for operation in operations { operation.operation(operation, .suspected) }
        return true
    }

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
