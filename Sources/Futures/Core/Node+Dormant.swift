// Dormancy: chains that wait for `Future.never` are freed when nobody holds them.

extension Node {
    /// Says that nothing will ever settle this node but a cancel from below, and so neither what listens to it.
    ///
    /// A list keeps its listeners and a listener its source, which is undone when the source settles; the promise or
    /// closure that has to complete it makes sure that it does. Nothing does that for `Future.never`. So the list of a
    /// dormant node does not retain its listeners: they live as long as somebody holds them, and leave it in `deinit`.
    func fallDormant() {
        var falling = [self]
        while let node = falling.popLast() {
            guard let listeners = node.lock() else { continue }
            var heard: [Node] = []
            if !node.isDormant { listeners.forEach { heard.append($0) } }
            node.isDormant = true
            node.unlock(listeners)
            for listener in heard { Unmanaged.passUnretained(listener).release() }
            falling += heard
        }
    }

    /// Leaves the list that does not retain this node.
    func leaveDormant() {
        if isDormant { _ = upstream?.remove(self) }
    }
}
