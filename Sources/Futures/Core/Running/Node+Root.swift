// Roots: where chains begin.

extension Node {
    /// Makes a root that combines `children`: `start` listens to them at once, as their parent, and what it returns
    /// leaves them. A repetition combines repetitions of them, in the same way.
    ///
    /// `count` is how many children can settle it, and `needs` tells what has to come for that. A
    /// repetition fails at once if one of `signals` has settled, and the children do not begin.
    ///
    /// Once it is over, the children that nobody else holds release their results, as a step's source does. So
    /// nothing that this node keeps may refer to a child but the array itself: what listens goes with the listeners.
    @usableFromInline
    static func combined(
        _ children: [Node], counting count: Int? = nil, needing needs: Combination.Needs = .oneOfThem,
        unless signals: [Node] = [], start: @escaping Combination.Start
    ) -> Node {
        let node = combination(of: children, count ?? children.count, needs, signals, start)
        // If it fails at once, what it cancels does not wait for the callback that makes it.
        ThreadState.here.serving { node.operation(node, .arrived) }
        return node
    }

    /// The same, but it does not listen yet: it does so in its job.
    private static func combination(
        of children: [Node], _ count: Int, _ needs: Combination.Needs, _ signals: [Node],
        _ start: @escaping Combination.Start
    ) -> Node {
        // In two steps, as combinations may lie one inside of the other, however many: see `rerun`.
        let remaking = Remaking { repetitions in
            if let repetitions { return .node(combination(of: repetitions, count, needs, signals, start)) }
            return aborted(children, by: signals).map { .node($0) } ?? .children(children)
        }
        let node = Node(source: nil, on: .inPlace, .combines, Closure(remaking)) { node, _ in node.startCombining() }
        node.number = Int32(clamping: count)
        node.keepLocal(Combination(of: children, needs, start))
        return node
    }

    /// What a repetition is if one of `signals` has come: a node that has failed. Unless the result is there already.
    private static func aborted(_ children: [Node], by signals: [Node]) -> Node? {
        guard let signal = signals.lazy.map(\.resolved).first(where: \.isSettled),
            !(children[0].resolved.isSettled && !children[0].isRepeatable)
        else { return nil }
        return .settled(Result<Never, any Error>.failure(signal.claimed { signal.reasonToAbort }))
    }

    /// What a signal that has come aborts with.
    var reasonToAbort: any Error { isSuccess ? CancellationError() : payload.error }

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

    /// Makes a root that completes as `source`. It cannot be run again, and releases `source` then.
    static func withoutRecipe(_ source: Node) -> Node {
        let node = pending()
        node.progress = .starting
        node.number = 1
        let listener = Node.listener(to: source, for: node, handler: completingParent)
        node.started(with: Leaving([listener]))
        return node
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
