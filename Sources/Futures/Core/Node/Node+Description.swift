// Description: what a future waits for, in words, for messages and debuggers.

extension Node {
    /// What this node, which is pending, waits for: the end of the way upstream, or where that branches. Takes one
    /// node's lock after the other.
    ///
    /// - Complexity: O(*n*), where *n* is the number of nodes on the way, up to 4096 for each of a few branches.
    var awaitedInWords: String { awaitedInWords(depth: 0) }

    private func awaitedInWords(depth: Int) -> String {
        var last: String?
        for (node, dependency) in waits {
            if dependency.waitsForTurn { return "a turn, for \(node.operationInWords)" }
            if dependency.isNever { return "Future.never" }
            if dependency.children != nil { return node.childrenInWords(dependency, depth) }
            last = dependency.neededScheduler.map { "a callback on \($0)" } ?? "a completion"
            if dependency.upstream == nil { last! += node.originInWords }
        }
        return last ?? "a callback"
    }

    private func childrenInWords(_ dependency: Dependency, _ depth: Int) -> String {
        guard depth < 4 else { return "several futures" }
        let open = dependency.openChildren
        let shown = open.prefix(8).map { $0.awaitedInWords(depth: depth + 1) }
        let rest = open.count > shown.count ? ["\(open.count - shown.count) more"] : []
        return open.count == 1 ? shown[0] : "\(open.count) futures (" + (shown + rest).joined(separator: "; ") + ")"
    }

    /// The source location of this node, or else of the node that it listens to. Most steps have none.
    var knownOrigin: FutureError.SourceLocation? {
        if !origin.fileID.isEmpty { return origin }
        guard case let origin?? = withLock({ _ in upstream?.origin }) else { return nil }
        return origin.fileID.isEmpty ? nil : origin
    }

    private var operationInWords: String {
        origin.fileID.isEmpty ? "an operation of a queue" : "the operation enqueued at \(origin)"
    }

    private var originInWords: String { origin.fileID.isEmpty ? "" : " of the future made at \(origin)" }
}
