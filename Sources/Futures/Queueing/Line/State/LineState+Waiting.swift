// Waiting: what the search for deadlocks asks of a line, and the futures of its emptiness and capacity.

extension LineState {
    /// Some that wait in this lane, or wait for this line to be empty, at most `count`: no operation may wait for
    /// those.
    func firstWaiting(_ lane: Lane?, _ count: Int) -> [LineNode] {
        let nodes = self[lane].firstWaiting(count)
        return awaitsEmptiness ? nodes + watchers.firstForEmptiness(count - nodes.count) : nodes
    }

    /// Whether a future waits for this line to be empty.
    var awaitsEmptiness: Bool { watchers.awaitEmptiness }

    /// Whether a search for operations that wait for this line to be empty is due.
    var isEmptinessSuspected: Bool { watchers.areSuspected }

    /// Notes that such a search is due; false if one was due already.
    mutating func suspectEmptiness() -> Bool {
        defer { watchers.areSuspected = true }
        return !watchers.areSuspected
    }

    /// Returns all futures that wait for this line to be empty, for the search that was due.
    mutating func takeSuspectsOfEmptiness() -> [LineNode] {
        watchers.areSuspected = false
        return watchers.firstForEmptiness(.max)
    }

    func isWaiting(_ node: LineNode) -> Bool { node.position == .waiting }

    /// Notes that a search for a deadlock is due; false if one was due already.
    mutating func suspect(_ lane: Lane?) -> Bool {
        change(lane.map(Unmanaged.passUnretained)) {
            let wasSuspected = $0.isSuspected
            $0.isSuspected = true
            return !wasSuspected
        }
    }

    /// Whether a search for a deadlock is due.
    func isSuspected(_ lane: Lane?) -> Bool { self[lane].isSuspected }

    /// The operations of a lane that have to release a turn before another one can start.
    enum Suspects {
        /// None: another one can start, or a turn is held by something that is no operation, such as a permit.
        case none
        case these([LineNode])
        /// This many, of which a queue that was released has no list.
        case unlisted(Int)
        /// More than the maximum.
        case tooMany
    }

    /// Returns the operations that have to release a turn before another one of this lane can start.
    mutating func suspects(_ lane: Lane?, atMost maxCount: Int) -> Suspects {
        change(lane.map(Unmanaged.passUnretained)) { $0.isSuspected = false }
        let lane = self[lane]
        guard isFull(lane) else { return .none }
        if lane.turns > maxCount { return .tooMany }
        guard isOwned else { return .unlisted(lane.turns) }
        guard lane.running.count == lane.turns, lane.running.mayAllWaitForTurns else { return .none }
        return .these(lane.running.nodes)
    }

    /// Whether one of the lane's operations that have their turn has to release it before another one can start.
    private func isFull(_ lane: LaneState) -> Bool {
        lane.turns >= laneLimit || runningCount >= limit + lackingCount && lane.turns == runningCount || isExclusive
            || lane.isNextExclusive && !lane.isNextTimed
    }

    /// Whether no operation of a lane can start as long as these operations, each of which is listed once, do not end.
    func isFull(_ lane: Lane?, with operations: [LineNode]) -> Bool {
        let count = operations.lazy.filter { $0.lane === lane && $0.hasTurn }.count
        return count > 0 && isFull(self[lane]) && self[lane].turns == count
    }

    /// Whether at most one operation of a lane runs at a time.
    var isOneAtATime: Bool { limit + lackingCount == 1 || laneLimit == 1 || isExclusive }
}

extension LineState {
    /// Whether the queue would accept an operation. If none may wait, it accepts one that could start immediately.
    var hasRoom: Bool { waitingCount < maxWaitingCount || maxWaitingCount == 0 && mayBegin }

    /// What happens to a node that asks to wait for this line.
    enum Wait {
        case waits
        /// It need not wait: the line is empty, or has capacity, now.
        case ends
    }

    /// Adds a node that waits until no operation waits or runs.
    mutating func awaitEmptiness(_ node: LineNode) -> Wait {
        if isEmpty { return .ends }
        watchers.addForEmptiness(node)
        isAttended = true
        return .waits
    }

    /// Adds a node that waits for capacity.
    mutating func awaitRoom(_ node: LineNode) -> Wait {
        isAttended = true
        return watchers.addForRoom(node, hasRoom: hasRoom) ? .waits : .ends
    }

    /// Removes a watcher that has completed or was cancelled.
    mutating func leaveWatchers(_ node: LineNode) -> Action {
        var action = Action()
        action.released = watchers.remove(node)
        watchers.take(isEmpty: false, hasRoom: hasRoom, into: &action.jobs)
        return action
    }
}
