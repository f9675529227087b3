// Waiting: what the search for deadlocks asks of a line, and the futures of its emptiness and capacity.

/// Operations that have their turn.
struct TakenTurns {
    fileprivate let listed: [LineNode]
    fileprivate let unowned: [WeakReference]
    fileprivate let lane: Lane?
    /// How many turns are taken. Those that no operation has are not listed.
    let count: Int

    // Not loaded under the lock: it may be the last reference by then.
    var nodes: [LineNode] {
        listed + unowned.compactMap { $0.node?.lineNode }.filter { lane == nil || $0.lane === lane }
    }
}

extension LineState {
    /// Whether something waits in this line, or for it to be empty.
    var isAwaited: Bool { waitingCount > 0 || awaitsEmptiness }

    /// Whether a future waits for this line to be empty.
    private var awaitsEmptiness: Bool { watchers.awaitEmptiness }

    /// The turns that are taken in a lane or, if that is nil, in all lanes.
    private func taken(_ lane: Lane?) -> TakenTurns {
        let lanes = isKeyed && lane == nil ? keyed.all.map(\.state) : [self[lane]]
        return TakenTurns(
            listed: lanes.flatMap(\.running.nodes), unowned: Array(unowned.values), lane: lane,
            count: lanes.reduce(0) { $0 + $1.turns })
    }

    /// The turns that have to end before a node that waits gets its own, or before this line is empty, and how many of
    /// them. Returns nil if anything else may end its wait.
    func turnsAhead(of node: LineNode) -> (TakenTurns, needed: Int)? {
        guard node.position == .waiting, node.kind != .capacity, node.timeLimits?.maxWaiting == nil else { return nil }
        let (lane, maxCount) = (self[node.lane], limit + lackingCount)
        if node.awaitsEmptiness { return (taken(nil), runningCount) }
        if isPaused || !hasToken { return nil }
        if isExclusive { return (taken(nil), 1) }
        if onlyLane.isNextExclusive { return onlyLane.isNextTimed ? nil : (taken(nil), runningCount) }
        if lane.turns >= laneLimit { return (taken(node.lane), lane.turns - laneLimit + 1) }
        // Of a key, only if the operations of other keys have no turns.
        guard runningCount >= maxCount, lane.turns == runningCount else { return nil }
        return (taken(node.lane), runningCount - maxCount + 1)
    }

    /// The line, to be looked at by its watchdog; nil if nothing waits in it. Then it has to be watched anew.
    mutating func watchedLine() -> Line? {
        isWatched = isAwaited
        // What waits retains the line.
        return isWatched ? line?.takeUnretainedValue() : nil
    }

    /// The turns of each lane that may be part of a deadlock: something waits, and no operation has started since the
    /// last call, unless `always` is true.
    mutating func suspects(always: Bool) -> [TakenTurns] {
        if !always, watchPause > 0 {
            watchPause -= 1
            return []
        }
        let lanes = isKeyed ? keyed.all.map(Optional.some) : [nil]
        pauseWatch(afterVisiting: lanes.count)
        return lanes.filter { lane in
            guard awaitsEmptiness || self[lane].isWaiting else { return false }
            return change(lane.map(Unmanaged.passUnretained)) { $0.isStill() } || always
        }.map { taken($0) }
    }

    /// Has the watchdog leave out looks, so that it takes a small part of the time.
    mutating func pauseWatch(afterVisiting count: Int) { watchPause = max(watchPause, min(count / 4096, 30)) }

    /// Whether at most one operation of a lane runs at a time.
    var isOneAtATime: Bool { limit + lackingCount == 1 || laneLimit == 1 || isExclusive }
}

extension LineState {
    /// Whether the queue would accept an operation. If none may wait, it accepts one that could start immediately.
    var hasRoom: Bool { waitingCount < maxWaitingCount || maxWaitingCount == 0 && mayBegin }

    /// What happens to a node that asks to wait for this line.
    enum Wait {
        /// It waits; whether a watchdog looks at the line already.
        case waits(isWatched: Bool)
        /// It need not wait: the line is empty, or has capacity, now.
        case ends
    }

    /// Adds a node that waits until no operation waits or runs.
    mutating func awaitEmptiness(_ node: LineNode) -> Wait {
        if isEmpty { return .ends }
        watchers.addForEmptiness(node)
        isAttended = true
        defer { isWatched = true }
        return .waits(isWatched: isWatched)
    }

    /// Adds a node that waits for capacity.
    mutating func awaitRoom(_ node: LineNode) -> Wait {
        isAttended = true
        return watchers.addForRoom(node, hasRoom: hasRoom) ? .waits(isWatched: true) : .ends
    }

    /// Removes a watcher that has completed or was cancelled.
    mutating func leaveWatchers(_ node: LineNode) -> Action {
        var action = Action()
        action.released = watchers.remove(node)
        watchers.take(isEmpty: false, hasRoom: hasRoom, into: &action.jobs)
        return action
    }
}
