// InspectedOperation: what FuturesDiagnostics sees of an operation in a queue, lock or pool.

/// An operation in a queue, lock or pool, or a future of its emptiness or capacity.
package struct InspectedOperation: Sendable {
    /// Whether it is a future of the queue's emptiness, or of its capacity. If it is neither, it is an operation.
    package let awaitsEmptiness: Bool
    package let awaitsCapacity: Bool
    /// The queue, by its identity and its name, short for a list of operations, and with its kind.
    package let queue: ObjectIdentifier
    package let queueName: String
    package let longQueueName: String
    package let hasLabel: Bool
    /// How many operations of the whole queue have their turn, and how many wait.
    package let counts: (running: Int, waiting: Int)
    /// Whether the operation has its turn.
    package let isRunning: Bool
    /// Its place among the operations that wait in its lane, counted from 1, and how many these are.
    package let place: Int?
    package let placeCount: Int
    /// The operations that have to give back a turn before another one of its lane can start, if the queue has a list
    /// of them, and how many turns are taken.
    package let ahead: [Inspected]
    package let aheadCount: Int
    /// Whether one of those turns is all that this one waits for: the queue is not paused, and no rate delays it.
    package let waitsForTurnsOnly: Bool
    /// Whether its own time limit ends its wait.
    package let isWaitLimited: Bool
    /// The name of the outer lease that it waits for.
    package let awaitedLease: String?
}

extension Inspected {
    /// The place of the node in its queue; nil if it is no operation of a line.
    ///
    /// - Complexity: O(*n*) in the number of operations that wait there.
    package var operation: InspectedOperation? {
        guard let node = node.queued as? LineNode else { return nil }
        let line = node.line
        // The lane of a node changes under the lock.
        let awaitedLease = line.leasing.flatMap { $0[line.state.withLock { _ in node.lane }]?.requestedName }
        return line.state.withLock { state in
            let lane = state[node.lane]
            let place = node.position == .waiting ? lane.place(of: node) : nil
            // An operation of a lane that is not full waits for those of other lanes.
            let isLaneFull = !state.isKeyed || lane.turns >= state.laneLimit
            return InspectedOperation(
                awaitsEmptiness: node.awaitsEmptiness, awaitsCapacity: node.kind == .capacity,
                queue: ObjectIdentifier(line), queueName: line.name.description, longQueueName: line.name.long,
                hasLabel: line.name.label != nil, counts: (state.runningCount, state.waitingCount),
                isRunning: node.hasTurn, place: place?.index, placeCount: place?.count ?? 0,
                ahead: isLaneFull ? lane.running.nodes.map { Inspected($0) } : [],
                aheadCount: isLaneFull ? lane.turns : state.runningCount,
                waitsForTurnsOnly: state.runningCount > 0 && !state.isPaused && state.hasToken,
                isWaitLimited: node.timeLimits?.maxWaiting != nil, awaitedLease: node.hasTurn ? awaitedLease : nil)
        }
    }
}

extension LaneState {
    /// The place of a node among those that wait, by priority, counted from 1, and how many these are.
    fileprivate func place(of node: LineNode) -> (index: Int, count: Int)? {
        let waiting = firstWaiting(.max)
        return waiting.firstIndex { $0 === node }.map { ($0 + 1, waiting.count) }
    }
}
