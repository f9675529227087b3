// Blocked turns: the queued nodes that cannot end while this thread blocks.

extension QueuedNode {
    /// Calls `body` with each queued node that has begun and cannot end before one of the jobs that the calling thread
    /// is running. A node for which `endsByItself` returns true ends in time, unless the job is that of its own closure.
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
        ThreadState.here.heldFurtherOut?.forEachTurn { if let node = $0.queued { body(node) } }
    }
}

extension Node {
    /// The closure of this root may keep turns until it returns, although the node has settled: it was cancelled.
    fileprivate func forEachTurnKept(_ body: (QueuedNode) -> Void) {
        guard source == nil, !traits.contains(.combines) else { return }
        if let queued { body(queued) }
        // The thread that runs the closure, as this one does, is the only one that changes what the node keeps.
        (local as? HeldTurns)?.forEachTurn { if let node = $0.queued { body(node) } }
    }

    fileprivate func forEachTurnBehind(unless endsByItself: (QueuedNode) -> Bool, _ body: (QueuedNode) -> Void) {
        var steps = 1024
        _ = searchDownstream(&steps) { node, waitsForTurn in
            guard !waitsForTurn, let queued = node.queued else { return .goOn }
            if node !== self, endsByItself(queued) { return .turnBack }
            body(queued)
            return .goOn
        }
    }
}
