// withoutHistory: cuts off how a result came about.

extension Future {
    /// A future of the same result that forgets, once it has it, how that came about: a repetition of it shares the
    /// result.
    ///
    ///     tail = tail.flatMap { write(line) }.withoutHistory()
    ///
    /// Every other future keeps its recipe, with all that its closures have captured: a chain that grows for ever, like
    /// this one, would keep every line. Cancelling goes through it as through any step.
    public func withoutHistory() -> Future {
        if let result { return Future(result: result) }
        return Future(
            node: .withoutRecipe(node) { node, source in
                node.complete(source.settledResult(as: Value.self))
            })
    }
}

extension Node {
    /// A root that `take` completes when `source` has settled. It has no recipe, and lets go of `source` then.
    static func withoutRecipe(_ source: Node, take: @escaping @Sendable (Node, Node) -> Void) -> Node {
        let node = pending()
        node.progress = .starting
        node.number = 1
        let listener = Node.listener(to: source, for: node) { arrival in
            if let node = arrival.parent { take(node, arrival.child) }
        }
        node.started(with: Leaving([listener]))
        return node
    }
}
