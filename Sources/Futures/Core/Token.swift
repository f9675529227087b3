// Token: the right to complete a node, which fails it when it is lost.

/// The right to complete a node from outside: when its last reference goes and the node is pending, nobody can.
///
/// Apart from `Promise`, as a generic class would instantiate metadata whenever one is made or released.
@usableFromInline
final class Token: Sendable {
    @usableFromInline let node: Node

    @inlinable
    init(_ node: Node) {
        self.node = node
    }

    deinit {
        if !node.isSettled { node.abandon() }
    }
}

extension Node {
    /// Fails the node, unless it has a result, perhaps one that is not shown yet.
    fileprivate func abandon() {
        guard let listeners = lockToSettle() else { return }
        payload.store(error: FutureError.abandoned(origin: origin))
        complete(Word.failure, listeners)
    }
}
