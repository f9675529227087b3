// QueueWatchers: the futures of a queue's emptiness and capacity.

/// The nodes that wait for a queue to be empty, or to have capacity.
struct QueueWatchers {
    private var forEmptiness = NodeList()
    private var forRoom = NodeList()
    /// The producer that was admitted and whose listeners are being called, which may enqueue: the next one is admitted
    /// afterwards.
    private var isTelling: ObjectIdentifier?

    var isEmpty: Bool { forEmptiness.isEmpty && forRoom.isEmpty }

    var awaitEmptiness: Bool { !forEmptiness.isEmpty }

    var awaitRoom: Bool { !forRoom.isEmpty }

    mutating func addForEmptiness(_ node: LineNode) {
        node.position = .waiting
        forEmptiness.append(node)
    }

    /// Adds a producer; returns false if there is capacity and no producer has waited longer.
    mutating func addForRoom(_ node: LineNode, hasRoom: Bool) -> Bool {
        if hasRoom, isTelling == nil, forRoom.isEmpty {
            isTelling = ObjectIdentifier(node)
            return false
        }
        node.position = .waiting
        forRoom.append(node)
        return true
    }

    /// Moves the nodes whose wait has ended to `jobs`.
    mutating func take(isEmpty: Bool, hasRoom: Bool, into jobs: inout JobList) {
        if isEmpty {
            while let node = forEmptiness.takeFirst() { tell(node, &jobs) }
        }
        if hasRoom, isTelling == nil, let node = forRoom.takeFirst() {
            isTelling = ObjectIdentifier(node)
            tell(node, &jobs)
        }
    }

    private func tell(_ node: LineNode, _ jobs: inout JobList) {
        node.position = .outside
        jobs.append(node)
    }

    /// Takes out a node that waits, and gives away the reference to it.
    mutating func remove(_ node: LineNode) -> Node? {
        if isTelling == ObjectIdentifier(node) { isTelling = nil }
        guard node.position == .waiting else { return nil }
        node.position = .outside
        return node.kind != .capacity ? forEmptiness.take(node) : forRoom.take(node)
    }
}

extension LineState {
    /// Whether the queue would accept an operation. If none may wait, it accepts one that could start immediately.
    var hasRoom: Bool { waitingCount < maxWaitingCount || maxWaitingCount == 0 && mayBegin }

    /// Adds a node that waits until no operation waits or runs.
    mutating func awaitEmptiness(_ node: LineNode) -> Arrival {
        if isEmpty { return .begins }
        watchers.addForEmptiness(node)
        isAttended = true
        defer { isWatched = true }
        return .waits(isWatched: isWatched)
    }

    /// Adds a node that waits for capacity.
    mutating func awaitRoom(_ node: LineNode) -> Arrival {
        isAttended = true
        return watchers.addForRoom(node, hasRoom: hasRoom) ? .waits(isWatched: true) : .begins
    }

    /// Removes a watcher that has completed or was cancelled.
    mutating func leaveWatchers(_ node: LineNode) -> Action {
        var action = Action()
        action.released = watchers.remove(node)
        watchers.take(isEmpty: false, hasRoom: hasRoom, into: &action.jobs)
        return action
    }
}
