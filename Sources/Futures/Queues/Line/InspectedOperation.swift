// InspectedOperation: what FuturesDiagnostics sees of an operation in a queue, lock or pool.

/// An operation in a queue, lock or pool, or a future of its emptiness or capacity.
package struct InspectedOperation: Sendable {
    /// Whether it is a future of the queue's emptiness, or of its capacity. If it is neither, it is an operation.
    package let awaitsEmptiness: Bool
    package let awaitsCapacity: Bool
    /// The queue, by its identity and its name.
    package let queue: ObjectIdentifier
    package let name: LineName
    /// How many operations of the whole queue have their turn, and how many wait.
    package let counts: (running: Int, waiting: Int)
    /// Whether the operation has its turn.
    package let isRunning: Bool
    /// Whether it waits for its turn, and its place if it is one of the first in its lane, counted from 1.
    package let isWaiting: Bool
    package let place: Int?
    /// Whether the queue has a lane for each key.
    package let isKeyed: Bool
    /// Operations that have to give back a turn before another one of its lane can start, if the queue has a list of
    /// them, and how many turns are taken.
    package let ahead: [Inspected]
    package let aheadCount: Int
    /// Whether one of those turns is all that this one waits for: the queue is not paused, and no rate delays it.
    package let waitsForTurnsOnly: Bool
    /// Whether its own time limit ends its wait.
    package let isWaitLimited: Bool
}

extension InspectedOperation {
    /// How many operations that wait in a lane have a place, and how many that run are listed.
    // A report reads each operation of a queue under the lock of that.
    package static let shownWaiting = 8
    fileprivate static let listedRunning = 32
}

extension Inspected {
    /// The place of the node in its queue; nil if it is no operation of a line.
    package var operation: InspectedOperation? {
        guard let node = node.queued as? LineNode else { return nil }
        let line = node.line
        return line.state.withLock { state in
            let lane = state[node.lane]
            let isWaiting = node.kind == .operation && node.position == .waiting
            // An operation of a lane that is not full waits for those of other lanes.
            let isLaneFull = !state.isKeyed || lane.turns >= state.laneLimit
            return InspectedOperation(
                awaitsEmptiness: node.awaitsEmptiness, awaitsCapacity: node.kind == .capacity,
                queue: ObjectIdentifier(line), name: line.name, counts: (state.runningCount, state.waitingCount),
                isRunning: node.position == .running || node.position == .held, isWaiting: isWaiting,
                place: isWaiting ? lane.place(of: node, upTo: InspectedOperation.shownWaiting) : nil,
                isKeyed: state.isKeyed,
                ahead: isLaneFull ? lane.running(upTo: InspectedOperation.listedRunning).map { Inspected($0) } : [],
                aheadCount: isLaneFull ? lane.turns : state.runningCount,
                waitsForTurnsOnly: state.runningCount > 0 && state.lackingCount == 0
                    && !state.startsNothing(of: node.lane),
                isWaitLimited: node.timeLimits?.maxWaiting != nil)
        }
    }
}
