// Blocked turns: the queued nodes that cannot end while this thread blocks.

extension QueuedNode {
    /// Calls `body` with each queued node that has begun and cannot end before one of the jobs that the calling thread
    /// is running. A node for which `endsByItself` returns true ends in time, unless the job is that of its own
    /// closure.
    ///
    /// A node may come several times. Takes about a thousand steps for each of those jobs, at most.
    static func forEachBlocked(unless endsByItself: (QueuedNode) -> Bool, _ body: (QueuedNode) -> Void) {
        ThreadState.here.forEachRunning { job in
            guard let node = job as? Node else { return }
            if node.isSettled {
                node.forEachTurnKept(body)
            } else {
                node.forEachTurnBehind(unless: endsByItself, body)
            }
        }
        ThreadState.here.heldFurtherOut?.forEachQueued(body)
    }
}

extension HeldTurns {
    /// Calls `body` with the queued nodes whose turns these are. The caller prevents the last holder from ending.
    fileprivate func forEachQueued(_ body: (QueuedNode) -> Void) {
        forEachTurn { if let node = $0.queued { body(node) } }
    }
}

extension Node {
    /// The closure of this root may keep turns until it returns, although the node has settled: it was cancelled.
    fileprivate func forEachTurnKept(_ body: (QueuedNode) -> Void) {
        guard source == nil, !traits.contains(.combines) else { return }
        if let queued { body(queued) }
        // The thread that runs the closure, as this one does, is the only one that changes what the node keeps.
        (local as? HeldTurns)?.forEachQueued(body)
    }

    fileprivate func forEachTurnBehind(unless endsByItself: (QueuedNode) -> Bool, _ body: (QueuedNode) -> Void) {
        var steps = 1024
        _ = searchDownstream(&steps) { node, waitsForTurn in
            // A watcher that waits until the node has been disposed (`HeldTurns.run`). It is a holder as long as it keeps
            // them, which the search's lock prevents it from ending.
            if node.traits.contains(.watcher), let turns = node.local as? HeldTurns { turns.forEachQueued(body) }
            guard !waitsForTurn, let queued = node.queued else { return .goOn }
            if node !== self, endsByItself(queued) { return .turnBack }
            body(queued)
            return .goOn
        }
    }
}
