// Rerunning: the chain afresh, from its operation through all its steps.

extension Node {
    /// Makes a node that runs this one's recipe once more (rule 17).
    func rerun() -> Node {
        var steps: [Node] = []
        var top = self
        while case .step(let source) = top.origin {
            steps.append(top)
            top = source
        }
        let root: Node
        switch top.origin {
        case .operation: root = Node(.operation, on: top.scheduler, top.traits, operation: top.operation)
        case .combined(let remake): root = remake()
        case .fixed, .step: root = top
        }
        // Attached before the operation begins, so that its listeners are served in one go.
        var last = root
        var ready: Node?
        for step in steps.reversed() {
            let copy = Node(.step(last), on: step.scheduler, step.traits, operation: step.operation)
            if last.add(copy) == .settled { ready = copy }
            last = copy
        }
        if case .operation = root.origin { ready = root }
        if let ready { ThreadState.here.serve(ready) }
        return last
    }
}
