// In words: what a future waits for, for messages.

extension Node {
    /// What this node waits for, in words: the end of the way upstream, or where that branches.
    func awaitedInWords(depth: Int = 0) -> String {
        var walk = UpstreamWalk(from: self)
        var last: String?
        while let (node, dependency) = walk.next() {
            if dependency.waitsForTurn { return "a turn, for \(node.operationInWords)" }
            if dependency.isUnreachable { return "Future.never" }
            if dependency.needs != nil { return node.childrenInWords(dependency, depth) }
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

    private var operationInWords: String {
        origin.fileID.isEmpty ? "an operation of a queue" : "the operation enqueued at \(origin)"
    }

    private var originInWords: String { origin.fileID.isEmpty ? "" : " of the future made at \(origin)" }
}
