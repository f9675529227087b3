// Blocked nodes: those that cannot complete while this thread blocks.

extension ThreadState {
    /// The nodes whose jobs this thread is running, and the queued nodes whose turns end behind these jobs.
    var blockedNodes: [Node] {
        var nodes: [Node] = []
        for case let node as Node in runningJobs {
            nodes.append(node)
            if !node.isSettled {
                node.forEachTurnBehindResult { nodes.append($0) }
            } else {
                // It was cancelled, and its closure is running, or has just returned.
                guard let unfinished = node.unfinishedOfClosure, unfinished.holdIfOpen() else { continue }
                unfinished.forEachTurn { nodes.append($0) }
                unfinished.release()
            }
        }
        if let stopping = storage.pointee.stopping {
            let unfinished = stopping.unfinished.takeUnretainedValue()
            unfinished.forEachTurn { nodes.append($0) }
            forEachTurnToCome { if let its = $0.firstUnfinished, unfinished.isWithin(its) { nodes.append($0) } }
        }
        return nodes
    }

    /// Calls `body` with the queued nodes that have yet to give back their turns in a loop of this thread.
    private func forEachTurnToCome(_ body: (Node) -> Void) {
        for frame in frames {
            for jobs in [frame.pointee.jobs, frame.pointee.deferred] {
                jobs.forEach { if $0.endsTurn, let node = $0 as? Node { body(node) } }
            }
        }
    }
}

extension Node {
    /// Calls `body` with the nodes whose turns end when the result of this one, which is stored, is published.
    fileprivate func forEachTurnBehindResult(_ body: (Node) -> Void) {
        guard let listeners = lock() else { return }
        var watchers: [Node] = []
        listeners.forEach { if $0.traits.contains(.watcher) { watchers.append($0) } }
        unlock(listeners)
        for watcher in watchers {
            // It counts (`Unfinished.waiting(for:)`), and cannot end while it is locked.
            guard let listeners = watcher.lock() else { continue }
            (watcher.local as? Unfinished)?.forEachTurn(body)
            watcher.unlock(listeners)
        }
    }
}
