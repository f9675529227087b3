// settle: waits for all of several futures and collects their results, failures included.

/// Returns a future of the results of all `futures`, in the order of the arguments. It does not fail.
///
///     a: --1
///     b: -^        settle(a, b)  --(success(1), failure)
///
/// The result of a future that is cancelled by other code is a failure with a `CancellationError`. If the returned
/// future is cancelled, the futures are cancelled too, unless they have other listeners. If there are no futures, it
/// has succeeded.
@inlinable
public func settle<each Value: Sendable>(
    _ futures: repeat Future<each Value>
) -> Future<(repeat Result<each Value, any Error>)> {
    Future(
        node: .join(nodesOf(repeat each futures), .isCollected) { node, nodes in
            var index = 0
            func next<T: Sendable>(_: T.Type) -> Result<T, any Error> {
                defer { index += 1 }
                return nodes[index].result(as: T.self)
            }
            node.settleFromOutside((repeat next((each Value).self)))
        })
}

/// Returns a future of the results of all `futures`, in their order. It does not fail.
///
/// The result of a future that is cancelled by other code is a failure with a `CancellationError`. If the returned
/// future is cancelled, the futures are cancelled too, unless they have other listeners. If there are no futures, it
/// has succeeded with an empty array.
@inlinable
public func settle<Value: Sendable>(
    _ futures: some Collection<Future<Value>>
) -> Future<[Result<Value, any Error>]> {
    Future(
        node: .join(futures.map { $0.node }, .isCollected) { node, nodes in
            node.settleFromOutside(nodes.map { $0.result(as: Value.self) })
        })
}

// Without this, the compiler says "failed to produce diagnostic for expression".
/// Does not compile: write settle(a, b) for futures of different types. In an array, all have one type.
@_alwaysEmitIntoClient
@available(
    *, unavailable, message: "write settle(a, b) for futures of different types: in an array, all have one type"
)
public func settle(_ futures: [any Sendable]) -> Future<[any Sendable]> { fatalError() }

/// Returns a future of the results of all `futures`, by their keys. It does not fail.
///
/// The result of a future that is cancelled by other code is a failure with a `CancellationError`. If the returned
/// future is cancelled, the futures are cancelled too, unless they have other listeners. If there are no futures, it
/// has succeeded with an empty dictionary.
@inlinable
public func settle<Key: Hashable & Sendable, Value: Sendable>(
    _ futures: [Key: Future<Value>]
) -> Future<[Key: Result<Value, any Error>]> {
    let keys = Array(futures.keys)
    return Future(
        node: .join(futures.values.map { $0.node }, .isCollected) { node, nodes in
            let results = nodes.lazy.map { $0.result(as: Value.self) }
            node.settleFromOutside(Dictionary(uniqueKeysWithValues: zip(keys, results)))
        })
}

extension Array: CarriesFuture where Element: CarriesFuture {
    @usableFromInline var carriedEnd: Future<Void>? {
        let ends = compactMap(\.carriedEnd)
        return ends.isEmpty ? nil : settle(ends).asVoid()
    }
}
