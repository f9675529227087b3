// Limits: a queue whose limit of concurrent operations changes, or that is full.

extension LineState {
    /// An operation comes to a queue in which no more may wait.
    mutating func arriveWhenFull(_ node: LineNode) -> Arrival {
        guard overflow == .dropOldest, let old = takeOldest(notAbove: node.priority) else {
            return .refused(QueueError.full(maxWaitingCount: maxWaitingCount))
        }
        wait(node)
        return .replaces(old)
    }

    /// Takes out the first waiting operation of the lowest priority; nil if all have a higher one.
    private mutating func takeOldest(notAbove priority: QueuePriority) -> LineNode? {
        guard let node = change(nil, { $0.takeOldest(notAbove: priority) }) else { return nil }
        waitingCount -= 1
        node.position = .outside
        return node
    }

    /// Changes the number of operations that may run concurrently.
    mutating func setLimit(_ limit: Int) -> Action {
        self.limit = limit
        if !isKeyed { laneLimit = limit }
        return goOn()
    }

    /// Changes the number of operations for which a pool has resources. The most that it may have stays the same.
    mutating func setUsableCount(_ count: Int) {
        lackingCount += limit - count
        limit = count
    }
}
