// Rerunning: the chain afresh, from its operation through all its steps.

extension Node {
    /// Makes a node that runs this one's recipe once more (rule 17).
    func rerun() -> Node {
        var steps: [Node] = []
        var top = self
        while let source = top.source {
            steps.append(top)
            top = source
        }
        // Attached before the operation begins, so that its listeners are served in one go.
        let root = top.rerunRoot()
        var last = root
        var ready = root === top ? nil : root
        for step in steps.reversed() {
            let copy = Node(source: last, on: step.scheduler, step.traits, step.closure, operation: step.operation)
            if last.add(copy) == .settled { ready = copy }
            last = copy
        }
        if let ready { ThreadState.here.serve(ready) }
        return last
    }

    private func rerunRoot() -> Node {
        if traits.contains(.begins) {
            return Node(source: nil, on: scheduler, traits, closure, operation: operation)
        }
        if traits.contains(.combines), let copy = try? closure.body(Node.self, Node.self)(self) { return copy }
        return self
    }
}
