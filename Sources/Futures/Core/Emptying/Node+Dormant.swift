// Dormancy: chains that wait for `Future.never` are freed when nobody holds them.

extension Node {
    /// Says that nothing will ever settle this node but a cancel from below, and so neither what listens to it.
    ///
    /// A list keeps its listeners and a listener its source and its parent, which is undone when the source settles;
    /// the promise or closure that has to complete it makes sure that it does. Nothing does that for `Future.never`.
    /// So the list of a dormant node does not retain its listeners, nor a dormant listener its parent: they live as
    /// long as somebody holds them, and leave in `deinit`.
    ///
    /// A queued node may also be ended by its queue, which holds it: it is asked, and falls dormant unless that is so.
    func fallDormant() {
        var falling = [self]
        while let node = falling.popLast() {
            if let queued = node.queued, !queued.cannotComplete() { continue }
            guard let listeners = node.lock() else { continue }
            let isFirst = !node.isDormant
            let heard = isFirst ? listeners.prefix(.max) : []
            let parent = isFirst ? node.parent : nil
            node.isDormant = true
            // The links have the cell; with a node that does not settle, it would be a circle.
            let cell = node.takeCell()
            node.unlock(listeners)
            withExtendedLifetime(cell) {}
            for listener in heard { Unmanaged.passUnretained(listener).release() }
            falling += heard
            if let parent = parent?.takeRetainedValue(), parent.losesChild() { falling.append(parent) }
        }
    }

    /// Says that a child of this node has settled, or was cancelled; it sleeps if the remaining ones do.
    func childIsOver() {
        if losesChild() { fallDormant() }
    }

    /// Whether the last child that could settle this node is gone.
    private func losesChild() -> Bool {
        guard let listeners = lock() else { return false }
        number -= 1
        // What has its result, and only does not show it yet, has listeners to tell.
        let isAlone = number == 0 && !isCompletedEarly
        unlock(listeners)
        return isAlone
    }

    /// Leaves the list that does not retain this node.
    func leaveDormant() {
        if isDormant || traits.contains(.queued) && !isSettled { _ = upstream?.remove(self) }
    }

    /// Whether this node waits for one that never completes.
    var waitsInVain: Bool {
        guard let listeners = lock() else { return false }
        let upstream = upstream
        unlock(listeners)
        guard let upstream, !upstream.traits.contains(.never) else { return upstream != nil }
        guard let others = upstream.lock() else { return false }
        defer { upstream.unlock(others) }
        return upstream.isDormant
    }
}
