// settle: waits for all of several futures, whatever becomes of them.

/// A future of the results of all `futures`, in the order of the arguments; it does not fail.
///
///     a: --1
///     b: -^        settle(a, b)  --(success(1), failure)
///
/// A future that is cancelled by somebody else has failed with a `CancellationError`, as far as this is concerned.
/// Cancelling this one cancels them, as far as nobody else listens to them. Of no futures, it has completed.
@inlinable
public func settle<each Value: Sendable>(
    _ futures: repeat Future<each Value>
) -> Future<(repeat Result<each Value, any Error>)> {
    Future(
        node: .join(nodesOf(repeat each futures), .isCollected) { node, nodes in
            var index = 0
            func next<T: Sendable>(_: T.Type) -> Result<T, any Error> {
                defer { index += 1 }
                return nodes[index].resolved.settledResult(as: T.self)
            }
            node.complete((repeat next((each Value).self)))
        })
}

/// A future of the results of all `futures`, in their order; it does not fail.
@inlinable
public func settle<Value: Sendable>(
    _ futures: some Collection<Future<Value>>
) -> Future<[Result<Value, any Error>]> {
    Future(
        node: .join(futures.map { $0.node }, .isCollected) { node, nodes in
            node.complete(nodes.map { $0.resolved.settledResult(as: Value.self) })
        })
}

/// A future of the results of all `futures`, by their keys; it does not fail.
@inlinable
public func settle<Key: Hashable & Sendable, Value: Sendable>(
    _ futures: [Key: Future<Value>]
) -> Future<[Key: Result<Value, any Error>]> {
    let keys = Array(futures.keys)
    return Future(
        node: .join(futures.values.map { $0.node }, .isCollected) { node, nodes in
            let results = nodes.lazy.map { $0.resolved.settledResult(as: Value.self) }
            node.complete(Dictionary(uniqueKeysWithValues: zip(keys, results)))
        })
}
