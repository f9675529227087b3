// join: waits for all of several futures.

/// Returns a future of the values of all `futures`, in the order of the arguments.
///
///     a: --1
///     b: ----2     join(a, b)  ----(1, 2)
///     c: -^        join(a, c)  -^
///
/// The first failure fails the returned future immediately. If the returned future is cancelled, the futures are
/// cancelled too, unless they have other listeners.
///
/// - Parameters:
///   - futures: The futures to wait for. If there are none, the returned future has succeeded.
///   - cancelNonCompleted: Whether the first failure also cancels the futures that have not completed, unless they have
///     other listeners.
@inlinable
public func join<each Value: Sendable>(
    _ futures: repeat Future<each Value>, cancelNonCompleted: Bool = true
) -> Future<(repeat each Value)> {
    Future(
        node: .join(nodesOf(repeat each futures), cancelsOthers: cancelNonCompleted) { node, nodes in
            var index = 0
            func next<T: Sendable>(_: T.Type) -> T {
                defer { index += 1 }
                return nodes[index].value(as: T.self)
            }
            node.settleFromOutside((repeat next((each Value).self)))
        })
}

/// Returns a future of the values of all `futures`, in their order: see the form with several arguments.
@inlinable
public func join<Value: Sendable>(
    _ futures: some Collection<Future<Value>>, cancelNonCompleted: Bool = true
) -> Future<[Value]> {
    Future(
        node: .join(futures.map { $0.node }, cancelsOthers: cancelNonCompleted) { node, nodes in
            node.settleFromOutside(nodes.map { $0.value(as: Value.self) })
        })
}

// Without this, the compiler says "failed to produce diagnostic for expression".
/// Does not compile: write join(a, b) for futures of different types. In an array, all have one type.
@_alwaysEmitIntoClient
@available(
    *, unavailable, message: "write join(a, b) for futures of different types: in an array, all have one type"
)
public func join(_ futures: [any Sendable], cancelNonCompleted: Bool = true) -> Future<[any Sendable]> { fatalError() }

/// Returns a future of the values of all `futures`, by their keys: see the form with several arguments.
@inlinable
public func join<Key: Hashable & Sendable, Value: Sendable>(
    _ futures: [Key: Future<Value>], cancelNonCompleted: Bool = true
) -> Future<[Key: Value]> {
    let keys = Array(futures.keys)
    return Future(
        node: .join(futures.values.map { $0.node }, cancelsOthers: cancelNonCompleted) { node, nodes in
            let values = nodes.lazy.map { $0.value(as: Value.self) }
            node.settleFromOutside(Dictionary(uniqueKeysWithValues: zip(keys, values)))
        })
}

/// Returns the nodes of a parameter pack, in an array of which the capacity is reserved in advance.
@inlinable
func nodesOf<each Value: Sendable>(_ futures: repeat Future<each Value>) -> [Node] {
    var count = 0
    for _ in repeat (each Value).self { count += 1 }
    var nodes: [Node] = []
    nodes.reserveCapacity(count)
    for future in repeat each futures { nodes.append(future.node) }
    return nodes
}

extension Node {
    /// Returns a node that `collect` completes once all of `nodes` have settled. It fails with the first error, and
    /// cancels the others if `cancelsOthers` is true; if `collectsErrors` is true, errors are results like any other.
    @usableFromInline
    static func join(
        _ nodes: [Node], cancelsOthers: Bool = true, collectsErrors: Bool = false,
        collect: @escaping @Sendable (Node, [Node]) -> Void
    ) -> Node {
        // A repetition calls this closure again, with repetitions of the nodes and a new count.
        combined(nodes, needsAll: true, leavesOthers: !cancelsOthers) { node, nodes in
            guard !nodes.isEmpty else {
                collect(node, nodes)
                return []
            }
            // What the listeners share.
            let missing = Countdown(nodes.count, (nodes: nodes, collectsErrors: collectsErrors, collect: collect))
            let handler: @Sendable (Node.Arrival) -> Void = { arrival in
                if !arrival.child.isSuccess, !missing.context.collectsErrors, let error = arrival.child.failure {
                    if arrival.parent?.settleFromOutside(error: error) == true { arrival.child.resolved.noteObserved() }
                } else if missing.countDown(), let node = arrival.parent {
                    node.readChildren { missing.context.collect(node, missing.context.nodes) }
                }
            }
            return nodes.map { Node.listener(to: $0, for: node, .ofChild, handler: handler) }
        }
    }
}
