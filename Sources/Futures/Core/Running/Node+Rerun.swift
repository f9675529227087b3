// Rerunning: the chain afresh, from its operation through all its steps.

extension Node {
    /// Makes a node that runs this one's recipe once more.
    ///
    /// It is made at once, and begins after the job in progress: so a transform that asks for it has returned, the node
    /// that repeats waits for this one by the time it begins, and a cancel finds it.
    @usableFromInline
    func rerun() -> Node {
        var rebuilding = Rebuilding()
        let node = rebuilding.rebuild(self)
        if !rebuilding.ready.isEmpty { ThreadState.here.serveNext(rebuilding.ready) }
        return node
    }

    /// The root, and what lies below it, the last step first.
    fileprivate func recipe() -> (top: Node, steps: [Node]) {
        var steps: [Node] = []
        var top = self
        while let source = top.source {
            steps.append(top)
            top = source.takeUnretainedValue()
        }
        return (top, steps)
    }

    /// The same recipe, with another source.
    fileprivate func copy(source: Node?) -> Node {
        scheduler._withUnsafeGuaranteedRef {
            Node(source: source, on: $0, traits, closure, origin: origin, operation: operation)
        }
    }
}

/// A chain, or a tree of combinations, that is being made anew.
///
/// A repetition is the same program again: all that begins does so in the order in which it was made the first time,
/// and a combination listens to its children when all of them have begun. So it hears of them in their order, whether
/// they have completed by then or were values from the beginning.
private struct Rebuilding {
    /// What has to begin, in its order: operations, combinations, and the first steps of values.
    var ready = JobList()
    /// The combinations that wait for their children: a stack of our own, as they may lie one inside of the other.
    private var frames: [Frame] = []

    private struct Frame {
        let combination: Node
        /// What lies below it.
        let steps: [Node]
        let children: [Node]
        var repetitions: [Node] = []
    }

    mutating func rebuild(_ node: Node) -> Node {
        var made = open(node)
        while let frame = frames.indices.last {
            if let node = made { frames[frame].repetitions.append(node) }
            let done = frames[frame].repetitions.count
            if done < frames[frame].children.count {
                made = open(frames[frame].children[done])
            } else {
                let frame = frames.removeLast()
                let remaking = frame.combination.closure.load(as: Remaking.self)
                guard case .node(let node) = remaking.call(frame.repetitions) else { break }
                made = rebuild(frame.steps, below: node, begins: true)
            }
        }
        return made!
    }

    /// Makes a chain; nil if its root is a combination, whose children come first.
    private mutating func open(_ last: Node) -> Node? {
        let (top, steps) = last.recipe()
        guard top.traits.contains(.combines) else { return rebuild(steps, root: top) }
        switch top.closure.load(as: Remaking.self).call(nil) {
        case .node(let node): return rebuild(steps, below: node, begins: false)
        case .children(let children):
            frames.append(Frame(combination: top, steps: steps, children: children))
            return nil
        }
    }

    private mutating func rebuild(_ steps: [Node], root: Node) -> Node {
        if root.traits.contains(.begins) { return rebuild(steps, below: root.copy(source: nil), begins: true) }
        guard let copy = root.queued?.copy() else { return rebuild(steps, below: root, begins: false) }
        if frames.isEmpty {
            copy.enqueue()
        } else {
            // Cancelled before, it needs no turn. Asking for one calls no user code, so it waits for no callback.
            ready.append(ClosureJob(.urgent) { if !copy.isSettled { copy.enqueue() } })
        }
        return rebuild(steps, below: copy, begins: false)
    }

    /// Makes the steps again, below this root.
    private mutating func rebuild(_ steps: [Node], below root: Node, begins: Bool) -> Node {
        // Attached before the operation begins, so that its listeners are served in one go.
        var last = root
        if begins { ready.append(root) }
        for step in steps.reversed() {
            let copy = step.copy(source: last)
            if last.add(copy) == .settled { ready.append(copy) }
            last = copy
        }
        return last
    }
}
