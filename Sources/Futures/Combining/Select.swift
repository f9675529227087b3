// select: waits for the first of several futures.

/// A future of the first result of `a` or `b`, a failure included.
///
///     a: --1
///     b: ----2     select(a, or: b)  --left(1)
///
/// The other one is cancelled, if nobody else listens to it.
public func select<A: Sendable, B: Sendable>(_ a: Future<A>, or b: Future<B>) -> Future<Either<A, B>> {
    Future(
        node: .select([a.node, b.node]) { index, node in
            index == 0
                ? node.settledResult(as: A.self).map(Either.left)
                : node.settledResult(as: B.self).map(Either.right)
        })
}

/// A future of the first result of any of `futures`, a failure included; the others are cancelled.
///
/// It fails with ``FutureError/noFutures`` if there are none.
public func select<Value: Sendable>(between futures: some Collection<Future<Value>>) -> Future<Value> {
    guard !futures.isEmpty else { return Future(error: FutureError.noFutures) }
    return Future(node: .select(futures.map(\.node)) { _, node in node.settledResult(as: Value.self) })
}

extension Node {
    /// A node that settles with what `read` makes of the first of `nodes` to settle.
    fileprivate static func select<T: Sendable>(
        _ nodes: [Node], read: @escaping @Sendable (Int, Node) -> Result<T, any Error>
    ) -> Node {
        combined {
            select(nodes.map { $0.rerun() }, read: read)
        } start: { node in
            let listeners = nodes.enumerated().map { index, child in
                Node.listener(to: child) { child in node.complete(read(index, child)) }
            }
            return Disposer { for listener in listeners { listener.cancel() } }
        }
    }
}
