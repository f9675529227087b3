// Blocked turns: the queued nodes that cannot end while this thread blocks.

extension QueuedNode {
    /// Calls `body` with each queued node that has begun and cannot end before one of the jobs that the calling thread
    /// is running. `isLasting`: whether that holds even if the node is cancelled; otherwise a cancel ends its turn.
    ///
    /// A node may come several times. Takes about a thousand steps for each of those jobs, at most.
    static func forEachBlocked(_ body: (_ node: QueuedNode, _ isLasting: Bool) -> Void) {
        ThreadState.here.forEachRunning { job in
            guard let node = job as? Node else { return }
            if node.isSettled { node.forEachTurnKept { body($0, true) } } else { node.forEachTurnBehind(body) }
        }
    }
}

extension Node {
    /// The closure of this root may keep turns until it returns, although the node has settled: it was cancelled.
    fileprivate func forEachTurnKept(_ body: (QueuedNode) -> Void) {
        guard isRunningClosure else { return }
        if let queued { body(queued) }
        // The thread that runs the closure, as this one does, is the only one that changes what the node keeps.
        (local as? HeldTurns)?.forEachTurn { if let node = $0.queued { body(node) } }
    }

    fileprivate func forEachTurnBehind(_ body: (QueuedNode, Bool) -> Void) {
        var steps = 1024
        _ = searchDownstream(&steps) { node, waitsForTurn in
            if !waitsForTurn, let node = node.queued { body(node, isRunningClosure) }
            return .goOn
        }
    }

    /// Whether the closure of this node, whose job is in progress, keeps the turns of what is cancelled downstream. Those
    /// of steps do not.
    fileprivate var isRunningClosure: Bool { source == nil && !traits.contains(.combines) }
}
