// QueueWatchers: the futures of a queue's emptiness and capacity.

extension LineState {
    /// Whether the queue would accept an operation. If none may wait, it accepts one that could start immediately.
    private var hasRoom: Bool { waitingCount < maxWaitingCount || maxWaitingCount == 0 && mayBegin }

    /// Adds a node that waits until no operation waits or runs.
    mutating func awaitEmptiness(_ node: LineNode) -> Arrival {
        if isEmpty { return .begins(node) }
        node.position = .waiting
        forEmptiness.add(node)
        defer { watched = node.lineReference }
        return .waits(isWatched: watched != nil)
    }

    /// Adds a node that waits for capacity, unless there is some and no producer has waited longer.
    mutating func awaitRoom(_ node: LineNode) -> Arrival {
        if hasRoom, admitted == nil, forRoom.isEmpty {
            admitted = ObjectIdentifier(node)
            return .begins(node)
        }
        node.position = .waiting
        forRoom.add(node)
        return .waits(isWatched: true)
    }

    /// Moves the nodes whose wait has ended to `jobs`.
    mutating func takeWatchers(isEmpty: Bool, into jobs: inout JobList) {
        if isEmpty {
            while let node = forEmptiness.takeOperation() { tell(node, &jobs) }
        }
        if hasRoom, admitted == nil, let node = forRoom.takeOperation() {
            admitted = ObjectIdentifier(node)
            tell(node, &jobs)
        }
    }

    private func tell(_ node: LineNode, _ jobs: inout JobList) {
        node.position = .outside
        jobs.append(node)
    }

    /// Removes a watcher that has completed or was cancelled. The caller must retain it, as in `leave`.
    mutating func leaveWatchers(_ node: LineNode) -> Action {
        var action = Action()
        if admitted == ObjectIdentifier(node) { admitted = nil }
        if node.position == .waiting {
            node.position = .outside
            _ = node.awaitsEmptiness ? forEmptiness.take(node) : forRoom.take(node)
        }
        takeWatchers(isEmpty: false, into: &action.jobs)
        return action
    }
}
