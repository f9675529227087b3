// Needed: what a future waits for, of what its thread may have set aside.

extension Node {
    /// The nodes that have to run before this one settles, as far as is known: those above it that have not settled, also
    /// above what it combines.
    var needed: Needed {
        var needed = Needed()
        var open: [Node] = [self]
        while let next = open.popLast() {
            var current: Node? = next.resolved
            while let node = current, needed.jobs.insert(ObjectIdentifier(node)).inserted {
                guard let listeners = node.lock() else { break }
                let upstream = node.upstream
                let combination = node.combination
                let waitsForTurn = node.traits.contains(.queued) && !node.hasBegun
                node.unlock(listeners)
                if waitsForTurn { needed.isTurn = true }
                if let combination { open += combination.children }
                current = upstream
            }
        }
        return needed
    }
}
