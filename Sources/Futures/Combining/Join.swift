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
    let futures = (repeat each futures)
    var nodes: [Node] = []
    for future in repeat each futures { nodes.append(future.node) }
    return Future(
        node: .join(nodes, cancelNonCompleted: cancelNonCompleted) { node, nodes in
            var index = 0
            func next<T: Sendable>(_ future: Future<T>) -> T {
                defer { index += 1 }
                return nodes[index].resolved.payload.value(as: T.self)
            }
            node.complete((repeat next(each futures)))
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
        node: .join(futures.map { $0.node }, cancelNonCompleted: cancelNonCompleted) { node, nodes in
            node.complete(nodes.map { $0.resolved.payload.value(as: Value.self) })
        })
}

extension Node {
    /// A node that `collect` completes once all of `nodes` have succeeded, or that fails with the first error.
    @usableFromInline
    static func join(
        _ nodes: [Node], cancelNonCompleted: Bool, collect: @escaping @Sendable (Node, [Node]) -> Void
    ) -> Node {
        // A repetition counts afresh, over repetitions of the nodes.
        combined(nodes.count) {
            join(nodes.map { $0.rerun() }, cancelNonCompleted: cancelNonCompleted, collect: collect)
        } start: { node in
            guard !nodes.isEmpty else {
                collect(node, nodes)
                return NilDisposer()
            }
            let missing = Missing(nodes.count)
            let handler: @Sendable (Node.Arrival) -> Void = { arrival in
                guard let node = arrival.parent else { return }
                if !arrival.child.isSuccess {
                    missing.keepsListening = !cancelNonCompleted
                    node.complete(error: arrival.child.payload.error)
                } else if missing.isLast() {
                    collect(node, nodes)
                }
            }
            let listeners = nodes.map { Node.listener(to: $0, for: node, handler: handler) }
            return Leaving(listeners) { !missing.keepsListening }
        }
    }
}

/// How many children have still to succeed.
private final class Missing: Sendable {
    private let count: Atomic<Int>
    private let keeps = Atomic<Bool>(false)

    init(_ count: Int) { self.count = Atomic(count) }

    func isLast() -> Bool { count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }

    /// Whether the children are left to run when the join is over.
    var keepsListening: Bool {
        get { keeps.load(ordering: .relaxed) }
        set { keeps.store(newValue, ordering: .relaxed) }
    }
}
