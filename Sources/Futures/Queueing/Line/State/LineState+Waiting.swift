// Waiting: what the search for deadlocks asks of a line, and the futures of its emptiness and capacity.

extension LineState {
    /// Some that wait in this lane, or wait for this line to be empty, at most `count`: no operation may wait for
    /// those.
    func firstWaiting(_ lane: Lane?, _ count: Int) -> [LineNode] {
        let nodes = self[lane].firstWaiting(count)
        return awaitsEmptiness ? nodes + watchers.firstForEmptiness(count - nodes.count) : nodes
    }

    /// Whether somebody waits for this line to be empty.
    var awaitsEmptiness: Bool { watchers.awaitEmptiness }

    /// Whether a search for operations that wait for this line to be empty is due.
    var isEmptinessSuspected: Bool { watchers.areSuspected }

    /// Notes that such a search is due; false if one was due already.
    mutating func suspectEmptiness() -> Bool {
        defer { watchers.areSuspected = true }
        return !watchers.areSuspected
    }

    /// All that wait for this line to be empty, as the search that was due begins.
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

    /// The nodes of which one has to be over before another one of this lane can begin; none if there are none, nil if
    /// they are more than `count`.
    mutating func suspects(_ lane: Lane?, atMost count: Int) -> [LineNode]? {
        change(lane.map(Unmanaged.passUnretained)) { $0.isSuspected = false }
        if self[lane].running.count > count { return nil }
        let isFull = self[lane].turns >= laneLimit || isExclusive || self[lane].isNextExclusive
        return isFull && self[lane].running.count == self[lane].turns ? self[lane].running.nodes : []
    }

    /// Whether no other one of a lane may begin before the one that runs is over.
    var isOneAtATime: Bool { limit == 1 || laneLimit == 1 || isExclusive }
}

extension LineState {
    /// Whether the queue would accept an operation. Where none may wait, that is so while one could begin at once.
    var hasRoom: Bool { waitingCount < maxWaitingCount || maxWaitingCount == 0 && mayBegin }

    /// A node waits until nothing waits or runs; false if that is so now, and it is to be let through.
    mutating func awaitEmptiness(_ node: LineNode, next: Bool) -> Bool {
        if isEmpty && !next { return false }
        watchers.addForEmptiness(node)
        isAttended = true
        return true
    }

    /// A node waits until there is room; false if it is to be let through.
    mutating func awaitRoom(_ node: LineNode) -> Bool {
        isAttended = true
        return watchers.addForRoom(node, hasRoom: hasRoom)
    }

    /// A watcher is over, or was cancelled.
    mutating func leaveWatchers(_ node: LineNode) -> Action {
        var action = Action()
        action.released = watchers.remove(node)
        watchers.take(isEmpty: false, hasRoom: hasRoom, into: &action.jobs)
        return action
    }
}
