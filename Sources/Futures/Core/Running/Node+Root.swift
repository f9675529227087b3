// Roots: where chains begin.

extension Node {
    /// Makes a root that begins with `operation`, which returns what stops it. It has not begun.
    @usableFromInline
    static func operation(
        on scheduler: Scheduler, _ operation: @escaping @Sendable (Node) throws -> any Disposable
    ) -> Node {
        Node(source: nil, on: scheduler, .begins, .rooting(operation)) { node, _ in
            guard node.starting() else { return }
            do {
                node.started(with: try node.closure.rooting(node))
            } catch {
                node.complete(error: error)
                node.started(with: NilDisposer())
            }
        }
    }

    /// Makes a root that combines `count` other futures: `start` listens to them at once, as their parent, and what it
    /// returns leaves them. `remake` does the same with repetitions of them.
    @usableFromInline
    static func combined(
        _ count: Int, remake: @escaping @Sendable () -> Node, start: (Node) -> any Disposable
    ) -> Node {
        combined(count, .remaking { _ in .node(remake()) }, start)
    }

    private static func combined(_ count: Int, _ recipe: Closure, _ start: (Node) -> any Disposable) -> Node {
        let node = Node(source: nil, on: .inPlace, .combines, recipe) { _, _ in }
        node.progress = .starting
        node.number = Int32(clamping: count)
        node.started(with: start(node))
        return node
    }

    /// What a combination's recipe makes.
    enum Remade {
        /// Not yet anything: it is to be given repetitions of these.
        case children([Node])
        case node(Node)
    }

    /// The same, of `children`, of which so many can settle it. `remake` is given repetitions of them. `needs` tells who
    /// waits what has to come.
    ///
    /// Once it is over, those that nobody else holds release their results, as a step's source does (rule 19). So nothing
    /// that this node keeps may refer to a child but the array itself: what listens is let go of with the listeners.
    @usableFromInline
    static func combined(
        _ children: [Node], counting count: Int? = nil, needing needs: Combination.Needs = .oneOfThem,
        remake: @escaping @Sendable ([Node]) -> Node, start: (Node) -> any Disposable
    ) -> Node {
        // In two steps, as combinations may lie one inside of the other, however many: see `rerun`.
        let recipe = Closure.remaking { repetitions in
            repetitions.map { .node(remake($0)) } ?? .children(children)
        }
        return combined(count ?? children.count, recipe) { node in
            Combination(of: children, needs, start(node))
        }
    }

    /// Makes a root that is completed from outside.
    @inlinable
    static func pending(_ origin: FutureError.Origin = .init()) -> Node {
        Node(source: nil, on: .inPlace, [], Closure(), origin: origin) { _, _ in }
    }

    /// Makes a root that has its result.
    @inlinable
    static func settled<T: Sendable>(_ result: Result<T, any Error>) -> Node {
        let node = pending()
        switch result {
        case .success(let value):
            node.payload.store(value)
            node.begins(endedAs: Word.success)
        case .failure(let error):
            node.payload.store(error: error)
            node.begins(endedAs: Word.failure)
        }
        return node
    }

    @usableFromInline static let never = Node(source: nil, on: .inPlace, .never, Closure()) { _, _ in }
}
