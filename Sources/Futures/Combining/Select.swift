// select: waits for the first of several futures.

/// A future of the first result of `a` or `b`, a failure included.
///
///     a: --1
///     b: ----2     select(a, or: b)  --left(1)
///
/// The other one is cancelled, if nobody else listens to it.
@inlinable
public func select<A: Sendable, B: Sendable>(_ a: Future<A>, or b: Future<B>) -> Future<Either<A, B>> {
    Future(
        node: .select([a.node, b.node]) { node, index, child in
            if index == 0 {
                node.complete(child.settledResult(as: A.self).map(Either<A, B>.left))
            } else {
                node.complete(child.settledResult(as: B.self).map(Either<A, B>.right))
            }
        })
}

/// A future of the first result of any of `futures`, a failure included.
///
/// The others are cancelled, as far as nobody else listens to them. It fails with ``FutureError/noFutures`` if there
/// are none.
@inlinable
public func select<Value: Sendable>(between futures: some Collection<Future<Value>>) -> Future<Value> {
    guard !futures.isEmpty else { return Future(error: FutureError.noFutures) }
    return Future(
        node: .select(futures.map { $0.node }) { node, _, child in
            node.complete(child.settledResult(as: Value.self))
        })
}

extension Node {
    /// A node that `take` completes with the first of `nodes` to settle, and which of them that is.
    @usableFromInline
    static func select(
        _ nodes: [Node], take: @escaping @Sendable (Node, Int, Node) -> Void
    ) -> Node {
        combined(nodes) { node, nodes in
            let listeners = nodes.enumerated().map { index, child in
                Node.listener(to: child, for: node) { arrival in
                    if let node = arrival.parent { take(node, index, arrival.child) }
                }
            }
            return Leaving(listeners)
        }
    }
}
