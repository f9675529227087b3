// QueueWatchers: the futures of a queue's emptiness and capacity.

extension LineState {
    /// Whether no other operation may wait. Those that wait for a resource that their pool may create do not count.
    var isFull: Bool { waitingCount - lackingCount >= limits.maxWaitingCount }

    /// Whether the queue would accept an operation. If none may wait, it accepts one that could start immediately.
    private var hasRoom: Bool { !isFull || limits.maxWaitingCount == 0 && mayBegin }

    /// Whether the next producer may be admitted.
    private var admits: Bool { hasRoom && admitted == nil }

    /// Adds a node that waits until no operation waits or runs, or until there is capacity that no other producer has
    /// waited longer for.
    mutating func watch(_ node: LineNode) -> Arrival {
        if node.awaitsEmptiness ? isEmpty : admits && forRoom.isEmpty {
            if !node.awaitsEmptiness { admitted = ObjectIdentifier(node) }
            return .begins(node)
        }
        node.position = .waiting
        if node.awaitsEmptiness { forEmptiness.add(node) } else { forRoom.add(node) }
        defer { isWatched = true }
        return .waits(isWatched: isWatched)
    }

    /// Moves the nodes whose wait has ended to `jobs`.
    mutating func takeWatchers(into jobs: inout JobList) {
        while isEmpty, let node = forEmptiness.takeOperation() { tell(node, &jobs) }
        guard admits, let node = forRoom.takeOperation() else { return }
        admitted = ObjectIdentifier(node)
        tell(node, &jobs)
    }

    private func tell(_ node: LineNode, _ jobs: inout JobList) {
        node.position = .outside
        jobs.append(node)
    }

    /// Removes a watcher that has completed or was cancelled. The caller must retain it, as in `leave`.
    mutating func leaveWatchers(_ node: LineNode) -> JobList {
        var jobs = JobList()
        if admitted == ObjectIdentifier(node) { admitted = nil }
        if node.position == .waiting {
            node.position = .outside
            _ = node.awaitsEmptiness ? forEmptiness.take(node) : forRoom.take(node)
        }
        takeWatchers(into: &jobs)
        return jobs
    }
}
