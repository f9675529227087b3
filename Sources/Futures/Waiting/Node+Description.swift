// Description: what a future waits for, in words, for messages and debuggers.

extension Node {
    /// What this node, which is pending, waits for: the end of the way upstream, or how many futures there are where
    /// that branches. Takes one node's lock after the other, of at most 4,096, as nodes may wait for each other in a
    /// cycle.
    var awaitedInWords: String {
        var (node, last) = (resolved, "a callback")
        for _ in 0..<4096 {
            switch node.dependency {
            case nil: return last
            case .never: return "Future.never"
            case .turn:
                return node.origin.fileID.isEmpty
                    ? "a turn, for an operation of a queue" : "a turn, for the operation enqueued at \(node.origin)"
            case .children(let children, _, _):
                guard children.count == 1 else { return "\(children.count) futures" }
                node = children[0].node
            case .limited(let source, _): node = source.node
            case .upstream(let upstream, let scheduler, _):
                last = scheduler.map { "a callback on \($0)" } ?? "a completion"
                node = upstream.node
            case .completion(let scheduler):
                let place = node.origin.fileID.isEmpty ? "" : " of the future made at \(node.origin)"
                return (scheduler.map { "a callback on \($0)" } ?? "a completion") + place
            }
        }
        return last
    }
}
