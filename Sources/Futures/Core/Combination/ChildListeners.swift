// ChildListeners: the listeners of a combination, and how they leave the futures that it combines.

/// The listeners of a combination that has started. When it ends, they leave: that cancels each source without other
/// listeners, unless the kind of combination leaves the others running (`cancelNonCompleted: false`).
///
/// Only `detach` does so. Releasing this does not, unlike a `Disposer`.
final class ChildListeners {
    private let nodes: [Node]
    private let timer: (any Disposable)?
    private let leavesOthers: Bool
    private let isWanted: @Sendable () -> Bool

    /// `nodes`: the listeners; those that are watchers leave without cancelling anything. Also operations that are to be
    /// cancelled with them. `leavesOthers`: whether the others are cancelled only if the combination ends from outside; if
    /// it settles, they stop listening. `isWanted`: whether any of them may still be called, asked when the combination
    /// settles: most joins have called all.
    init(
        _ nodes: [Node], stopping timer: (any Disposable)? = nil, leavesOthers: Bool = false,
        if isWanted: @escaping @Sendable () -> Bool = { true }
    ) {
        self.nodes = nodes
        self.timer = timer
        self.leavesOthers = leavesOthers
        self.isWanted = isWanted
    }

    /// Cancels all of them before anything is called, as part of `unfinished`. Returns the jobs that follow, for the
    /// caller to serve.
    func detach(fromOutside: Bool, as unfinished: inout Unfinished?) -> JobList {
        timer?.dispose()
        guard fromOutside || isWanted() else { return JobList() }
        let cancels = fromOutside || !leavesOthers
        // A listener that stayed would keep its source from being cancelled.
        for node in nodes where !cancels || node.traits.contains(.watcher) { node.stopListening() }
        return cancels ? Node.jobs(cancelling: nodes, as: &unfinished) : JobList()
    }

    /// The listeners that may settle the combination, and that a cancel has to consider: no watchers.
    var awaited: [Node] { nodes.filter { $0.traits.contains(.listens) && !$0.traits.contains(.watcher) } }
}

extension Node {
    /// Stops listening without cancelling the upstream node. Does nothing if this listener was called already.
    func stopListening() {
        // Under the lock, because the job that calls this listener may be running on another thread.
        if case let upstream?? = withLock({ _ in upstream }) { _ = upstream.remove(self) }
    }
}
