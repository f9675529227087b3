// Roots: the nodes at which chains start.

extension Node {
    /// Creates a root that combines `children` (`Combination`), and attaches it. A repetition combines repetitions of the
    /// children in the same way.
    static func combined(
        _ children: [Node], needsAll: Bool = false, leavesOthers: Bool = false, isShield: Bool = false,
        start: @escaping Combination.Start
    ) -> Node {
        let node = combining(
            Combination(of: children, needsAll: needsAll, leavesOthers: leavesOthers, isShield: isShield, start))
        if Recording.hasExtras { node.prepareToStart() }
        // If the root fails immediately, the jobs of what it cancels do not wait for the callback that creates it.
        ThreadState.here.serving { node.operation(node, .arrived) }
        return node
    }

    /// Creates the combination without attaching it to its children, which its job does.
    static func combining(_ combination: Combination) -> Node {
        // The closure captures nothing else, so that it needs no object of its own.
        let closure = Closure(Combining { combination })
        let node = Node(source: nil, on: .inPlace, .combines, closure) { node, _ in
            guard node.tryStart() else { return }
            // A cancel leaves it where it is while the node starts.
            node.combination!.begin(for: node)
            if let listeners = node.lock() { node.started(listeners) }
        }
        node.keep(Kept(object: combination))
        return node
    }

    /// Creates a root that is completed from outside.
    @inlinable
    static func pending(_ origin: FutureError.SourceLocation = .init()) -> Node {
        Node(source: nil, on: .inPlace, [], Closure(), origin: origin) { _, _ in }
    }

    /// Creates a root that completes as `source` does, and releases `source` then. It keeps its listener.
    static func withoutHistory(_ source: Node) -> Node {
        let node = pending()
        let listener = listener(to: source, for: node, isAttached: false, handler: completingParent)
        node.keep(Kept(object: listener))
        listener.attach()
        return node
    }

    /// Creates a root that has a result.
    @inlinable
    static func settled<T: Sendable>(_ result: Result<T, any Error>) -> Node {
        let node = pending()
        switch result {
        case .success(let value):
            node.payload.store(value)
            node.storeWord(Word.success)
        case .failure(let error):
            node.failNew(error)
        }
        return node
    }

    @usableFromInline @inline(never)
    func failNew(_ error: any Error) {
        payload.store(error: error)
        storeWord(Word.failure)
        Recording.recorderIfOn?.failed(self)
    }

    @usableFromInline static let never = Node(source: nil, on: .inPlace, .never, Closure()) { _, _ in }
}

extension Node: Disposable {
    /// Cancels the node, which is the listener of a root `withoutHistory`.
    @usableFromInline
    package func dispose() { cancel() }
}
