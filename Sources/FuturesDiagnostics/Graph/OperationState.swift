// OperationState: the state of an operation in its queue, lock or pool.

import Futures

/// An operation in a queue, lock or pool, or a future of its emptiness or capacity.
struct OperationState: Sendable {
    /// Whether it is a future of the queue's emptiness, or of its capacity. If it is neither, it is an operation.
    let awaitsEmptiness: Bool
    let awaitsCapacity: Bool
    /// The queue, by its identity and its name.
    let queue: ObjectIdentifier
    let name: LineName
    /// How many operations of the whole queue have their turn, and how many wait.
    let counts: (running: Int, waiting: Int)
    /// Whether the operation has its turn.
    let isRunning: Bool
    /// Whether it waits for its turn, and its place if it is one of the first in its lane, counted from 1.
    let isWaiting: Bool
    let place: Int?
    /// Whether the queue has a lane for each key.
    let isKeyed: Bool
    /// Operations that have to give back a turn before another one of its lane can start, if the queue has a list of
    /// them, and how many turns are taken.
    let ahead: [Node]
    let aheadCount: Int
    /// Whether one of those turns is all that this one waits for: the queue is not paused, and no rate delays it.
    let waitsForTurnsOnly: Bool
    /// Whether its own time limit ends its wait.
    let isWaitLimited: Bool
}

extension OperationState {
    /// How many operations that wait in a lane have a place, and how many that run are listed.
    // A report reads each operation of a queue under the lock of that.
    static let shownWaiting = 8
    fileprivate static let listedRunning = 32
}

extension Node {
    /// The place of the node in its queue; nil if it is no operation of a line.
    var operationState: OperationState? {
        guard let node = queued as? LineNode else { return nil }
        let line = node.line
        return line.state.withLock { state in
            let lane = state[node.lane]
            let isWaiting = node.kind == .operation && node.position == .waiting
            // An operation of a lane that is not full waits for those of other lanes.
            let isLaneFull = !state.isKeyed || lane.turns >= state.laneLimit
            return OperationState(
                awaitsEmptiness: node.kind == .emptiness, awaitsCapacity: node.kind == .capacity,
                queue: ObjectIdentifier(line), name: line.name, counts: (state.runningCount, state.waitingCount),
                isRunning: node.position == .running || node.position == .held, isWaiting: isWaiting,
                place: isWaiting ? lane.place(of: node, upTo: OperationState.shownWaiting) : nil,
                isKeyed: state.isKeyed,
                ahead: isLaneFull ? lane.running(upTo: OperationState.listedRunning) : [],
                aheadCount: isLaneFull ? lane.turns : state.runningCount,
                waitsForTurnsOnly: state.runningCount > 0 && state.lackingCount == 0
                    && !state.startsNothing(of: node.lane),
                isWaitLimited: node.timeLimits?.maxWaiting != nil)
        }
    }
}
