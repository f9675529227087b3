// hold: results that wait for another future.

extension Future {
    /// A future with the same result, value or error, but not before `gate` has completed, however that ends.
    ///
    ///     a:     --1
    ///     gate:  -----x     a.hold(until: gate)  -----1
    ///
    /// Cancelling it cancels both, as far as nobody else listens to them. A repetition repeats both.
    @inlinable
    public func hold<T: Sendable>(until gate: Future<T>) -> Future {
        Future(
            node: .hold(node, until: gate.node) { node, source in
                node.complete(source.settledResult(as: Value.self))
            })
    }
}

extension Node {
    @usableFromInline
    static func hold(
        _ source: Node, until gate: Node, pass: @escaping @Sendable (Node, Node) -> Void
    ) -> Node {
        combined([source, gate], needing: .allOfThem) { node, children in
            let missing = Locked(2)
            let handler: @Sendable (Node.Arrival) -> Void = { arrival in
                guard missing.isLast(), let node = arrival.parent else { return }
                node.readChildren { pass(node, children[0].resolved) }
            }
            return Leaving(children.map { Node.listener(to: $0, for: node, handler: handler) })
        }
    }
}

extension Locked<Int> {
    /// Takes one away; whether none is left.
    func isLast() -> Bool {
        withLock { count in
            count -= 1
            return count == 0
        }
    }
}
