// Token: the right to complete a node. If it is lost, the node fails.

/// The right to complete a node from outside. When the last reference to it is released while the node is pending, the
/// node fails. (`Promise` is generic: as a class, it would instantiate metadata whenever an object is created.)
@usableFromInline
final class Token: Sendable {
    @usableFromInline let node: Node

    @inlinable
    init(_ node: Node) {
        self.node = node
    }

    deinit {
        // Settling does nothing if there is a result that is stored but not yet published (`Progress.isStored`).
        if !node.isSettled, node.settleFromOutside(error: FutureError.abandoned(origin: node.origin)) {
            Recording.recorderIfOn?.abandoned(at: node.origin)
        }
    }
}
