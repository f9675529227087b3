// A turn for a key that lasts until a hold is let go of.

extension KeyedLine {
    /// The same as `enqueue`, but the turn lasts until the hold is let go of too.
    func enqueueHeld<T: Sendable>(
        for key: Key, on scheduler: Scheduler, _ terms: Terms,
        _ operation: @escaping @Sendable (Hold) throws -> Future<T>
    ) -> Future<T> {
        let node = Node(source: nil, on: scheduler, terms.traits, Closure(), origin: terms.origin) {
            [self] node, call in
            guard call == .arrived else { return hear(call, of: node, key, terms) }
            let waits = node.takeTurn(T.self) {
                if terms.isTimed { terms.limitRunning(of: node) }
                return try operation(hold(node, key))
            }
            if waits { line.hasJoined(node) { table.lanes[key] } }
        }
        enqueue(node, key, terms)
        return Future(node: node)
    }

    func hold(_ node: Node, _ key: Key) -> Hold {
        line.hold(node)
        return Hold { [self, weak node] in
            // A key is released without the lock: it is a user's.
            var idle: Key?
            line.release(node, from: { table.lanes[key] }, whenIdle: { idle = table.remove(key) })
            withExtendedLifetime(idle) {}
        }
    }
}
