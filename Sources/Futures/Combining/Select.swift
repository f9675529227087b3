// select: waits for the first of several futures.

/// Returns a future of the first result of `a` and `b`, value or error.
///
///     a: --1
///     b: ----2     select(a, or: b)  --left(1)
///
/// Cancelling the returned future cancels both, unless they have other listeners. To ignore failures while a success is
/// still possible, use ``Future/firstSuccess(of:)``.
///
/// With `cancelNonCompleted`, the future that is not the first is cancelled, unless it has other listeners.
@inlinable
public func select<A: Sendable, B: Sendable>(
    _ a: Future<A>, or b: Future<B>, cancelNonCompleted: Bool = true
) -> Future<Either<A, B>> {
    Future(
        node: .select([a.node, b.node], cancelsOthers: cancelNonCompleted) { node, child, isFirst in
            if isFirst {
                node.settleFromOutside(child.result(as: A.self).map(Either<A, B>.left))
            } else {
                node.settleFromOutside(child.result(as: B.self).map(Either<A, B>.right))
            }
        })
}

/// Returns a future of the first result of any of `futures`, value or error: see ``select(_:or:cancelNonCompleted:)``.
///
/// If there are no futures, the returned future fails with ``FutureError/noFutures``.
@inlinable
public func select<Value: Sendable>(
    between futures: some Collection<Future<Value>>, cancelNonCompleted: Bool = true
) -> Future<Value> {
    guard !futures.isEmpty else { return Future(error: FutureError.noFutures) }
    return Future(node: .select(futures.map { $0.node }, cancelsOthers: cancelNonCompleted))
}

extension Node {
    /// Returns a node that completes as the first of `nodes` to settle; or that `take` completes, which is called with
    /// that node, and whether it is the first in `nodes`.
    @usableFromInline
    static func select(
        _ nodes: [Node], cancelsOthers: Bool, take: (@Sendable (Node, Node, Bool) -> Void)? = nil
    ) -> Node {
        combined(nodes, leavesOthers: !cancelsOthers) { node, nodes in
            var handler = completingParent
            if let take {
                handler = { if let node = $0.parent { take(node, $0.child, $0.child === nodes[0].resolved) } }
            }
            return nodes.map { [handler] in Node.listener(to: $0, for: node, .ofChild, handler: handler) }
        }
    }
}
