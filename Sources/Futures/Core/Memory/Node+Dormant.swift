// Dormancy: chains that wait for `Future.never` are freed when nobody holds them.

extension Node {
    /// Says that nothing will ever settle this node but a cancel from below, and so neither what listens to it.
    ///
    /// A list keeps its listeners and a listener its source and its parent, which is undone when the source settles;
    /// the promise or closure that has to complete it makes sure that it does. Nothing does that for `Future.never`.
    /// So the list of a dormant node does not retain its listeners, nor a dormant listener its parent: they live as long
    /// as somebody holds them, and leave in `deinit`.
    func fallDormant() {
        var falling = [self]
        while let node = falling.popLast() {
            guard let listeners = node.lock() else { continue }
            var heard: [Node] = []
            var parent: Unmanaged<Node>?
            if !node.isDormant {
                listeners.forEach { heard.append($0) }
                parent = node.parent
            }
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
        awakeCount -= 1
        let isAlone = awakeCount == 0
        unlock(listeners)
        return isAlone
    }

    /// Leaves the list that does not retain this node.
    func leaveDormant() {
        if isDormant { _ = upstream?.remove(self) }
    }
}
