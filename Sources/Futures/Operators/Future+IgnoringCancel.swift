// ignoringCancel: a consumer that leaves, and an operation that goes on.

extension Future {
    /// A future with the same result, whose cancel does not reach this one: it goes on to its end.
    ///
    /// The future that is returned can be cancelled like others. This one cannot be any more, from wherever, as it keeps
    /// the listener that protects it until it completes.
    @inlinable
    public func ignoringCancel() -> Future {
        Future(
            node: .ignoringCancel(node) { node, source in
                node.complete(source.settledResult(as: Value.self))
            })
    }
}

extension Node {
    @usableFromInline
    static func ignoringCancel(_ source: Node, pass: @escaping @Sendable (Node, Node) -> Void) -> Node {
        combined([source]) { node, children in
            let listener = Node.listener(to: children[0], for: node) { arrival in
                if let node = arrival.parent { pass(node, arrival.child) }
            }
            // Kept, as the list of a dormant source does not keep it; but it never leaves.
            return Leaving([listener]) { false }
        }
    }
}
