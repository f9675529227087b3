// Obstacles: what a thread blocks although it waits for that.

extension Node {
    /// Throws if the calling thread, which waits for this node, keeps a turn that this node needs. Returns a scheduler
    /// that this node needs and the thread blocks. Not every dependency is known.
    ///
    /// - Parameter servesMain: Whether the thread runs the work of the main queue while it waits.
    @discardableResult
    func checkObstacles(servesMain: Bool = false) throws -> Scheduler? {
        let blocked = Set(ThreadState.here.runningNodes.map { ObjectIdentifier($0) })
        let walk = Walk(from: [self], isBlocked: { blocked.contains(ObjectIdentifier($0)) }) { scheduler in
            guard scheduler.backend.isSerial, !(servesMain && scheduler == .main) else { return false }
            // A `perform` blocks nothing: other threads can run the scheduler's jobs meanwhile.
            return scheduler.isHeld
        }
        guard !walk.blocked.isEmpty || !walk.schedulers.isEmpty else { return nil }
        let stuck = walk.stuck
        guard stuck.contains(0) else { return nil }
        if let way = walk.way(from: 0, through: stuck, to: walk.blocked.contains),
            let turn = way.lastIndex(where: walk.waitingForTurn.contains)
        {
            // `way[turn]` cannot start before the next one has ended.
            throw Line.deadlock(walk.nodes[way[turn + 1]].origin, before: walk.nodes[way[turn]])
        }
        let end = walk.schedulers[0] == nil ? walk.way(from: 0, through: stuck) { walk.schedulers[$0] != nil }?.last : 0
        return end.map { walk.schedulers[$0]! }
    }
}
