// Rerunning: running a chain again, from its operation through all its steps.

extension Node {
    /// Creates a node that runs this node's recipe again.
    ///
    /// The node is created at once, but starts after the job in progress. By then, a transform that calls this has
    /// returned, and the node that repeats waits for the new node, so that a cancel finds the new node.
    @usableFromInline
    func rerun() -> Node {
        var rebuilding = Rebuilding()
        let node = rebuilding.rebuild(self)
        if !rebuilding.ready.isEmpty { ThreadState.here.serveNext(rebuilding.ready) }
        return node
    }

    /// Creates a node with this node's recipe, but with another source.
    fileprivate func copy(source: Node?) -> Node {
        scheduler._withUnsafeGuaranteedRef {
            Node(source: source, on: $0, traits, closure, origin: origin, operation: operation)
        }
    }
}

/// A chain, or a tree of combinations, that is being created again.
///
/// A repetition is the same program again. Whatever has to start does so in the order in which it was created the first
/// time, and a combination attaches to its children when all of them have started. So it is notified by its children in
/// their order, whether they have completed by then or were values from the beginning.
///
/// Futures of a combination may have a source in common. It is created again once, as its operation ran once.
private struct Rebuilding {
    /// The nodes that have to start, in their order: operations, combinations, and the first steps of values.
    var ready = JobList()
    /// The combinations that wait for their children to be created: an explicit stack, because combinations can be
    /// nested.
    private var frames: [Frame] = []
    /// The nodes that were created again and to which another chain may lead, by the node that they repeat.
    private var repetitions: [ObjectIdentifier: Node] = [:]
    /// Whether there is a combination of several futures, so that several chains may lead to a node.
    private var isBranching = false

    /// A node that is repeated.
    private struct Original {
        let node: Node
        /// Whether another chain may lead to it, as there are other references to it.
        let isShared: Bool
    }

    private struct Frame {
        let combination: Original
        /// The steps downstream of the combination.
        let steps: [Original]
        let children: [Node]
        var repetitions: [Node] = []
    }

    mutating func rebuild(_ node: Node) -> Node {
        var made = open(node, isShared: false)
        while let frame = frames.indices.last {
            if let node = made { frames[frame].repetitions.append(node) }
            let done = frames[frame].repetitions.count
            if done < frames[frame].children.count {
                // Unless the array has the only reference to the child, another chain may lead to it. Saves the table a
                // tenth of the time of a repetition.
                // Unsafe: reads an element without retaining it, which the array does meanwhile. If the answer were
                // wrong, a shared source would be created twice. Tested by `RepeatedCombinationTests`.
                let isShared = frames[frame].children.withUnsafeBufferPointer {
                    !UnsafeRawPointer($0.baseAddress! + done).load(as: Unmanaged<Node>.self).isUnique
                }
                made = open(frames[frame].children[done], isShared: isShared)
            } else {
                let frame = frames.removeLast()
                let remaking = frame.combination.node.closure.load(as: Remaking.self)
                guard case .node(let node) = remaking.call(frame.repetitions) else { break }
                note(node, repeating: frame.combination)
                made = rebuild(frame.steps, below: node, begins: true)
            }
        }
        // Nothing but the new chain refers to its nodes when it starts.
        repetitions = [:]
        return made!
    }

    /// Creates a chain again. Returns nil if its root is a combination, whose children are created first.
    private mutating func open(_ last: Node, isShared: Bool) -> Node? {
        var steps: [Original] = []
        var top = Original(node: last, isShared: isShared)
        while true {
            if top.isShared, let repetition = repetitions[ObjectIdentifier(top.node)] {
                return rebuild(steps, below: repetition, begins: false)
            }
            guard let source = top.node.source else { break }
            steps.append(top)
            // Before there is a reference to it here.
            let isShared = !source.isUnique
            top = Original(node: source.takeUnretainedValue(), isShared: isShared)
        }
        guard top.node.traits.contains(.combines) else { return rebuild(steps, root: top) }
        switch top.node.closure.load(as: Remaking.self).call(nil) {
        case .node(let node):
            note(node, repeating: top)
            return rebuild(steps, below: node, begins: false)
        case .children(let children):
            if children.count > 1 { isBranching = true }
            frames.append(Frame(combination: top, steps: steps, children: children))
            return nil
        }
    }

    private mutating func rebuild(_ steps: [Original], root: Original) -> Node {
        if root.node.traits.contains(.begins) {
            let copy = root.node.copy(source: nil)
            note(copy, repeating: root)
            return rebuild(steps, below: copy, begins: true)
        }
        guard let copy = root.node.queued?.copy() else { return rebuild(steps, below: root.node, begins: false) }
        note(copy, repeating: root)
        if frames.isEmpty {
            copy.enqueue()
        } else {
            // A copy that was cancelled before needs no turn. Asking for a turn calls no user code, so it need not wait
            // for callbacks.
            ready.append(ClosureJob(.urgent) { if !copy.isSettled { copy.enqueue() } })
        }
        return rebuild(steps, below: copy, begins: false)
    }

    /// Creates the steps again, downstream of `root`.
    private mutating func rebuild(_ steps: [Original], below root: Node, begins: Bool) -> Node {
        // The steps are attached before the operation starts, so that its listeners are served in one go.
        var last = root
        if begins { ready.append(root) }
        for step in steps.reversed() {
            let copy = step.node.copy(source: last)
            note(copy, repeating: step)
            if last.add(copy) == .settled { ready.append(copy) }
            last = copy
        }
        return last
    }

    /// Keeps `repetition` for the other chains that lead to the node that it repeats.
    private mutating func note(_ repetition: Node, repeating original: Original) {
        // A chain without a combination of several futures leads to each of its nodes once.
        if original.isShared, isBranching { repetitions[ObjectIdentifier(original.node)] = repetition }
    }
}
