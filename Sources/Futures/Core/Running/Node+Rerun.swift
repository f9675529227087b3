// Rerunning: the chain afresh, from its operation through all its steps.

extension Node {
    /// Makes a node that runs this one's recipe once more (rule 17).
    @usableFromInline
    func rerun() -> Node {
        let (top, steps) = recipe()
        return top.traits.contains(.combines) ? top.rerunCombinations(below: steps) : top.rerunRoot(below: steps)
    }

    /// The root, and what lies below it, the last step first.
    private func recipe() -> (top: Node, steps: [Node]) {
        var steps: [Node] = []
        var top = self
        while let source = top.source {
            steps.append(top)
            top = source.takeUnretainedValue()
        }
        return (top, steps)
    }

    private func rerunRoot(below steps: [Node]) -> Node {
        if traits.contains(.begins) { return copy(source: nil).rerunSteps(steps, begins: true) }
        guard traits.contains(.queued) else { return rerunSteps(steps) }
        let copy = copy(source: nil)
        copy.operation(copy, .enqueued)
        return copy.rerunSteps(steps)
    }

    /// Runs the steps again, below this root.
    private func rerunSteps(_ steps: [Node], begins: Bool = false) -> Node {
        // Attached before the operation begins, so that its listeners are served in one go.
        var last = self
        // Only an operation of its own still has to begin; combinations have listened, and queued ones wait their turn.
        var ready = begins ? self : nil
        for step in steps.reversed() {
            let copy = step.copy(source: last)
            if last.add(copy) == .settled { ready = copy }
            last = copy
        }
        // After the transform that asked for it has returned: so the node that repeats waits for this one by the time it
        // begins, and a cancel finds it.
        if let ready { ThreadState.here.serveNext(JobList(ready)) }
        return last
    }

    /// The same recipe, with another source.
    private func copy(source: Node?) -> Node {
        scheduler._withUnsafeGuaranteedRef {
            Node(source: source, on: $0, traits, closure, origin: origin, operation: operation)
        }
    }
}

// Combinations may lie one inside of the other, however many: a stack of our own.
extension Node {
    /// A combination that is being run again.
    private struct Frame {
        let combination: Node
        /// What lies below it.
        let steps: [Node]
        let children: [Node]
        var repetitions: [Node] = []
    }

    private func rerunCombinations(below steps: [Node]) -> Node {
        var frames: [Frame] = []
        var made = open(below: steps, &frames)
        while let frame = frames.indices.last {
            if let node = made { frames[frame].repetitions.append(node) }
            let done = frames[frame].repetitions.count
            if done < frames[frame].children.count {
                let (top, steps) = frames[frame].children[done].recipe()
                made = top.traits.contains(.combines) ? top.open(below: steps, &frames) : top.rerunRoot(below: steps)
            } else {
                let frame = frames.removeLast()
                made = frame.combination.remade(frame.repetitions)?.rerunSteps(frame.steps)
            }
        }
        return made!
    }

    /// Begins to run a combination again; nil if its children come first.
    private func open(below steps: [Node], _ frames: inout [Frame]) -> Node? {
        switch closure.remaking(nil) {
        case .node(let node): return node.rerunSteps(steps)
        case .children(let children):
            frames.append(Frame(combination: self, steps: steps, children: children))
            return nil
        }
    }

    private func remade(_ repetitions: [Node]) -> Node? {
        if case .node(let node) = closure.remaking(repetitions) { node } else { nil }
    }
}
