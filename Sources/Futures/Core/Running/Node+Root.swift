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

    /// Makes a root that combines `children`: `start` listens to them at once, as their parent, and what it returns
    /// leaves them. A repetition combines repetitions of them, in the same way.
    ///
    /// `count` is how many children can settle it, and `needs` tells what has to come for that. If `settled` makes a
    /// node of the children, a repetition is that instead, and the children do not begin.
    ///
    /// Once it is over, the children that nobody else holds release their results, as a step's source does (rule 19). So
    /// nothing that this node keeps may refer to a child but the array itself: what listens goes with the listeners.
    @usableFromInline
    static func combined(
        _ children: [Node], counting count: Int? = nil, needing needs: Combination.Needs = .oneOfThem,
        settled: (@Sendable ([Node]) -> Node?)? = nil, start: @escaping Combination.Start
    ) -> Node {
        let node = combination(of: children, count ?? children.count, needs, settled, start)
        node.operation(node, .arrived)
        return node
    }

    /// The same, but it does not listen yet: it does so in its job.
    private static func combination(
        of children: [Node], _ count: Int, _ needs: Combination.Needs, _ settled: (@Sendable ([Node]) -> Node?)?,
        _ start: @escaping Combination.Start
    ) -> Node {
        // In two steps, as combinations may lie one inside of the other, however many: see `rerun`.
        let recipe = Closure.remaking { repetitions in
            if let repetitions { return .node(combination(of: repetitions, count, needs, settled, start)) }
            return settled?(children).map { .node($0) } ?? .children(children)
        }
        let node = Node(source: nil, on: .inPlace, .combines, recipe) { node, _ in node.startCombining() }
        node.number = Int32(clamping: count)
        node.keepLocal(Combination(of: children, needs, start))
        return node
    }

    private func startCombining() {
        // Cancelled before, it has disposed the combination.
        guard starting() else { return }
        // It is kept as long as this is starting.
        combination!.begin(for: self)
        started()
    }

    /// What a combination's recipe makes.
    enum Remade {
        /// Not yet anything: it is to be given repetitions of these.
        case children([Node])
        /// What a repetition is; if it is a combination, its job is to listen.
        case node(Node)
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
