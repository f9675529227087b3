// join: waits for all of several futures.

internal import Synchronization

/// A future of the values of all `futures`, in the order of the arguments.
///
///     a: --1
///     b: ----2     join(a, b)  ----(1, 2)
///     c: -^        join(a, c)  -^
///
/// The first failure fails it at once and cancels the others, as far as nobody else listens to them, unless
/// `cancelNonCompleted` is false. Of no futures, it has completed.
@inlinable
public func join<each Value: Sendable>(
    _ futures: repeat Future<each Value>, cancelNonCompleted: Bool = true
) -> Future<(repeat each Value)> {
    Future(
        node: .join(nodesOf(repeat each futures), cancelNonCompleted ? .cancelsOthers : .leavesOthers) { node, nodes in
            var index = 0
            func next<T: Sendable>(_: T.Type) -> T {
                defer { index += 1 }
                return nodes[index].resolved.payload.value(as: T.self)
            }
            node.complete((repeat next((each Value).self)))
        })
}

/// A future of the values of all `futures`, in their order; the first failure fails it at once.
///
/// The others are then cancelled, as far as nobody else listens to them, unless `cancelNonCompleted` is false. Of no
/// futures, it has completed with an empty array.
@inlinable
public func join<Value: Sendable>(
    _ futures: some Collection<Future<Value>>, cancelNonCompleted: Bool = true
) -> Future<[Value]> {
    Future(
        node: .join(futures.map { $0.node }, cancelNonCompleted ? .cancelsOthers : .leavesOthers) { node, nodes in
            node.complete(nodes.map { $0.resolved.payload.value(as: Value.self) })
        })
}

/// A future of the values of all `futures`, by their keys; the first failure fails it at once.
///
/// The others are then cancelled, as far as nobody else listens to them, unless `cancelNonCompleted` is false. Of no
/// futures, it has completed with an empty dictionary.
@inlinable
public func join<Key: Hashable & Sendable, Value: Sendable>(
    _ futures: [Key: Future<Value>], cancelNonCompleted: Bool = true
) -> Future<[Key: Value]> {
    let keys = Array(futures.keys)
    return Future(
        node: .join(futures.values.map { $0.node }, cancelNonCompleted ? .cancelsOthers : .leavesOthers) {
            node, nodes in
            let values = nodes.lazy.map { $0.resolved.payload.value(as: Value.self) }
            node.complete(Dictionary(uniqueKeysWithValues: zip(keys, values)))
        })
}

/// The nodes of a pack, in an array that need not grow.
@inlinable
func nodesOf<each Value: Sendable>(_ futures: repeat Future<each Value>) -> [Node] {
    var count = 0
    for _ in repeat (each Value).self { count += 1 }
    var nodes: [Node] = []
    nodes.reserveCapacity(count)
    for future in repeat each futures { nodes.append(future.node) }
    return nodes
}

/// What a failure does to a join.
@usableFromInline
enum JoinFailure: Sendable {
    /// It fails the join, which cancels what has not completed.
    case cancelsOthers
    /// It fails the join, and what has not completed goes on.
    case leavesOthers
    /// It is a result like others.
    case isCollected
}

extension Node {
    /// A node that `collect` completes once all of `nodes` have settled; if `failure` says so, it fails with the first
    /// error.
    @usableFromInline
    static func join(
        _ nodes: [Node], _ failure: JoinFailure, collect: @escaping @Sendable (Node, [Node]) -> Void
    ) -> Node {
        // A repetition counts afresh, over repetitions of the nodes.
        combined(nodes, needing: .allOfThem) { node, nodes in
            guard !nodes.isEmpty else {
                collect(node, nodes)
                return NilDisposer()
            }
            let missing = Missing(nodes.count)
            let handler: @Sendable (Node.Arrival) -> Void = { arrival in
                guard let node = arrival.parent else { return }
                if !arrival.child.isSuccess, failure != .isCollected {
                    missing.keepsListening = failure == .leavesOthers
                    node.complete(error: arrival.child.payload.error)
                } else if missing.isLast() {
                    node.readChildren { collect(node, nodes) }
                }
            }
            let listeners = nodes.map { Node.listener(to: $0, for: node, handler: handler) }
            return Leaving(listeners) { missing.areListenedTo }
        }
    }
}

/// How many children are still missing.
private final class Missing: Sendable {
    private let count: Atomic<Int>
    private let keeps = Atomic<Bool>(false)

    init(_ count: Int) { self.count = Atomic(count) }

    func isLast() -> Bool { count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }

    /// Whether there are children to leave when the join is over: not, if all have settled or are left to run.
    var areListenedTo: Bool { !keepsListening && count.load(ordering: .relaxed) != 0 }

    /// Whether the children are left to run when the join is over.
    var keepsListening: Bool {
        get { keeps.load(ordering: .relaxed) }
        set { keeps.store(newValue, ordering: .relaxed) }
    }
}
