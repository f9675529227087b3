// Rerunning: running a chain again, from its operation through all its steps.

extension Node {
    /// Returns a node that runs this node's operation and all steps again. A root without an operation, such as that of a
    /// promise, is shared.
    ///
    /// The operation starts, or asks for its turn, after the job in progress. By then, the node that repeats waits for the
    /// new node, so that a cancel finds it.
    @usableFromInline
    func rerun() -> Node {
        var rebuilding = Rebuilding()
        let node = rebuilding.rebuild(self)
        if !rebuilding.ready.isEmpty { ThreadState.here.serveNext(rebuilding.ready) }
        return node
    }

    /// Creates a node with this node's recipe, but with another source.
    fileprivate func copy(source: Node?) -> Node {
        let copy = scheduler._withUnsafeGuaranteedRef {
            Node(source: source, on: $0, traits, closure, origin: origin, operation: operation)
        }
        copy.carryLike(self)
        return copy
    }
}

/// A chain, or a tree of combinations, that is being created again.
///
/// Operations start in the order of a combination's futures, those of nested combinations first. A combination attaches to
/// its children when all of them have started, so they notify it in their order.
private struct Rebuilding {
    /// The nodes that have to start, in their order: operations, combinations, and the first steps of values.
    var ready = JobList()
    /// The combinations that wait for their children to be created: an explicit stack, because combinations can be
    /// nested.
    private var frames: [Frame] = []

    private struct Frame {
        let node: Node
        let combination: Combination
        /// The steps downstream of the combination.
        let steps: [Node]
        /// Those of its children.
        var repetitions: [Node] = []
    }

    mutating func rebuild(_ node: Node) -> Node {
        var made = open(node)
        while let frame = frames.indices.last {
            if let node = made { frames[frame].repetitions.append(node) }
            let done = frames[frame].repetitions.count
            if done < frames[frame].combination.children.count {
                made = open(frames[frame].combination.children[done])
            } else {
                let frame = frames.removeLast()
                let node = Node.combining(frame.combination.again(frame.repetitions))
                node.carryLike(frame.node)
                made = rebuild(frame.steps, below: node, starting: node)
            }
        }
        return made!
    }

    /// Creates a chain again. Returns nil if its root is a combination, whose children are created first.
    private mutating func open(_ last: Node) -> Node? {
        // The root, and the steps downstream of it, the last one first.
        var (top, steps) = (last, [Node]())
        while let source = top.source {
            steps.append(top)
            top = source.takeUnretainedValue()
        }
        guard let combination = top.combinationOfRecipe else { return rebuild(steps, root: top) }
        frames.append(Frame(node: top, combination: combination, steps: steps))
        return nil
    }

    private mutating func rebuild(_ steps: [Node], root: Node) -> Node {
        if root.traits.contains(.begins) {
            let copy = root.copy(source: nil)
            return rebuild(steps, below: copy, starting: copy)
        }
        guard let copy = root.queued?.copy() else { return rebuild(steps, below: root) }
        // Behind the callback in progress, as it may begin in place. In a combination, callbacks do not delay it. A copy that
        // was cancelled before needs no turn.
        copy.carryLike(root)
        let enqueue = ClosureJob(frames.isEmpty ? .following : .urgent) { if !copy.isSettled { copy.enqueue() } }
        return rebuild(steps, below: copy, starting: enqueue)
    }

    /// Creates the steps again, downstream of `root`, which `job` starts.
    private mutating func rebuild(_ steps: [Node], below root: Node, starting job: Job? = nil) -> Node {
        // Attached before the operation starts, so that its listeners are served in one go.
        var (last, behind) = (root, JobList())
        for step in steps.reversed() {
            let copy = step.copy(source: last)
            if last.add(copy) == .settled {
                ready.append(copy)
            } else if copy.traits.contains(.accompanied) {
                // A time limit starts behind the operation. A signal that has completed aborts the operation before.
                let precedes = copy.traits.contains(.precedes)
                let start = JobList(ClosureJob(precedes ? .urgent : .following) { copy.startCompanion() })
                if precedes { ready.append(start) } else { behind.append(start) }
            }
            last = copy
        }
        if let job { ready.append(job) }
        ready.append(behind)
        return last
    }
}
