// Token: the right to complete a node, which fails it when it is lost.

/// The right to complete a node from outside: when its last reference goes and the node is pending, nobody can.
///
/// Apart from `Promise`, as a generic class would instantiate metadata whenever one is made or released.
@usableFromInline
final class Token: Sendable {
    @usableFromInline let node: Node
    @usableFromInline let origin: FutureError.Origin

    @inlinable
    init(_ node: Node, _ origin: FutureError.Origin) {
        self.node = node
        self.origin = origin
    }

    deinit {
        if !node.isSettled { node.complete(error: FutureError.abandoned(origin: origin)) }
    }
}
