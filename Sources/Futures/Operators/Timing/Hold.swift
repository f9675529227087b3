// hold: delays a result until another future has completed.

extension Future {
    /// Returns a future with the same result, value or error, which does not complete before `gate` has completed.
    ///
    ///     a:     --1
    ///     gate:  -----x     a.hold(until: gate)  -----1
    ///
    /// Cancelling the returned future cancels this future and `gate`, unless they have other listeners. A repetition
    /// repeats both.
    ///
    /// - Parameter gate: The future to wait for. Its result does not matter: it may also fail or be cancelled.
    @_alwaysEmitIntoClient
    public func hold<T: Sendable>(until gate: Future<T>) -> Future {
        Future(node: .hold(node, until: gate.node))
    }
}

extension Node {
    @usableFromInline
    static func hold(_ source: Node, until gate: Node) -> Node {
        combined([source, gate], needing: .allOfThem) { node, children in
            let missing = Countdown(2)
            let handler: @Sendable (Node.Arrival) -> Void = { arrival in
                guard missing.countDown(), let node = arrival.parent else { return }
                node.settleFromOutside(as: children[0])
            }
            return DetachListeners(children.map { Node.listener(to: $0, for: node, .ofChild, handler: handler) })
        }
    }
}
