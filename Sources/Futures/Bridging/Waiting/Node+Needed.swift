// Needed: the deferred jobs of a thread that a future waits for.

extension Node {
    /// The nodes that are known to have to run before this one settles: all its upstream nodes that have not settled,
    /// including those of combinations.
    var needed: Needed {
        var needed = Needed()
        var open: [Node] = [self]
        while let next = open.popLast() {
            var walk = UpstreamWalk(from: next)
            while let (node, dependency) = walk.next(), needed.jobs.insert(ObjectIdentifier(node)).inserted {
                if dependency.waitsForTurn { needed.isTurn = true }
                open += dependency.children
            }
        }
        return needed
    }
}
