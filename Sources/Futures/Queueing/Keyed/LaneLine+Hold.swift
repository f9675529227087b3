// A turn for a key that lasts until a hold is let go of.

extension LaneLine {
    /// The same as `enqueue`, but the turn lasts until the hold is let go of too.
    func enqueueHeld<Key: Hashable & Sendable, T: Sendable>(
        for key: Key, on scheduler: Scheduler, _ terms: Terms,
        _ operation: @escaping @Sendable (Hold) throws -> Future<T>
    ) -> Future<T> {
        let lane = lane(of: key)
        let node = Node(source: nil, on: scheduler, terms.traits, Closure(), origin: terms.origin) {
            [self] node, call in
            guard call == .arrived else { return hear(call, of: node, lane, terms) }
            let waits = node.takeTurn(T.self) {
                if terms.isTimed { terms.limitRunning(of: node) }
                return try operation(hold(node))
            }
            if waits { hasJoined(node) }
        }
        enqueue(node, lane, terms)
        return Future(node: node)
    }
}
