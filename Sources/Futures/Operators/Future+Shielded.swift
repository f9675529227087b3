// shieldedFromCancellation: a consumer that can be cancelled without cancelling its source.

extension Future {
    /// Returns a future with the same result, which can be cancelled without cancelling this one.
    ///
    /// From this call on, this future cannot be cancelled by any consumer, because it keeps the listener that protects
    /// it until it completes.
    @_alwaysEmitIntoClient
    public func shieldedFromCancellation() -> Future {
        Future(node: .shieldedFromCancellation(node))
    }
}

extension Node {
    @usableFromInline
    static func shieldedFromCancellation(_ source: Node) -> Node {
        combined([source]) { node, children in
            let listener = Node.listener(to: children[0], for: node, .ofChild, handler: completingParent)
            // Never cancelled.
            return DetachListeners([listener]) { false }
        }
    }
}
