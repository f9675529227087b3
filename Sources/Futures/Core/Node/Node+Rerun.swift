// Rerunning: the chain afresh, from its operation through all its steps.

extension Node {
    /// Makes a node that runs this one's recipe once more (rule 17).
    @usableFromInline
    func rerun() -> Node {
        var steps: [Node] = []
        var top = self
        while let source = top.source {
            steps.append(top)
            top = source.takeUnretainedValue()
        }
        // Attached before the operation begins, so that its listeners are served in one go.
        let root = top.rerunRoot()
        var last = root
        // Only an operation of its own still has to begin; combinations have listened, and queued ones wait their turn.
        var ready = top.traits.contains(.begins) ? root : nil
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

    private func rerunRoot() -> Node {
        if traits.contains(.begins) { return copy(source: nil) }
        if traits.contains(.combines) { return closure.remaking() }
        guard traits.contains(.queued) else { return self }
        let copy = copy(source: nil)
        copy.operation(copy, .enqueued)
        return copy
    }

    /// The same recipe, with another source.
    private func copy(source: Node?) -> Node {
        scheduler._withUnsafeGuaranteedRef {
            Node(source: source, on: $0, traits, closure, origin: origin, operation: operation)
        }
    }
}
