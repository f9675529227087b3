// Needed: the deferred jobs of a thread that a future waits for.

extension Node {
    /// The nodes that are known to have to run before this one settles: all its upstream nodes that have not settled,
    /// including those of combinations.
    var needed: Needed {
        let walk = Walk(from: [self], passesTurns: false)
        return Needed(jobs: Set(walk.nodes.map { ObjectIdentifier($0) }), isTurn: !walk.waitingForTurn.isEmpty)
    }
}
