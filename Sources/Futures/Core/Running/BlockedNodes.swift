// Blocked nodes: those that cannot complete while this thread blocks.

extension ThreadState {
    /// The nodes whose jobs this thread is running, and the queued nodes whose turns end behind these jobs.
    var blockedNodes: [Node] {
        var nodes: [Node] = []
        forEachRunning { job in
            guard let node = job as? Node else { return }
            nodes.append(node)
            guard node.isSettled else { return node.forEachTurnBehindDisposal { nodes.append($0) } }
            // The closure of a root may keep turns until it returns, although the node has settled: it was cancelled. The
            // thread that runs the closure, as this one does, is the only one that changes what the node keeps.
            guard node.source == nil, !node.traits.contains(.combines) else { return }
            (node.local as? HeldTurns)?.forEachTurn { nodes.append($0) }
        }
        heldFurtherOut?.forEachTurn { nodes.append($0) }
        return nodes
    }
}

extension Node {
    /// Calls `body` with the nodes whose turns end when this one, whose result is stored, has been disposed.
    fileprivate func forEachTurnBehindDisposal(_ body: (Node) -> Void) {
        guard let listeners = lock() else { return }
        var watchers: [Node] = []
        listeners.forEach { if $0.traits.contains(.watcher) { watchers.append($0) } }
        unlock(listeners)
        for watcher in watchers {
            // It holds the turns (`HeldTurns.run`), and cannot end while it is locked.
            guard let listeners = watcher.lock() else { continue }
            (watcher.local as? HeldTurns)?.forEachTurn(body)
            watcher.unlock(listeners)
        }
    }
}
