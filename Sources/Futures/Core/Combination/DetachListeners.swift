// DetachListeners: how a combination stops listening to the futures that it combines.

/// Cancels a combination's listeners when the combination ends. That cancels each source without other listeners,
/// unless the kind of combination leaves the others running (`cancelNonCompleted: false`).
///
/// Only `detach` does so. Releasing this does not, unlike a `Disposer`.
final class DetachListeners {
    private let nodes: [Node]
    private let timer: (any Disposable)?
    private let leavesOthers: Bool
    private let isWanted: @Sendable () -> Bool

    /// `nodes`: the listeners; those that are watchers leave without cancelling anything. `leavesOthers`: whether the
    /// others are cancelled only if the combination ends from outside; if it settles, they stop listening. `isWanted`:
    /// whether any of the listeners may still be called, asked when the combination settles.
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
        for node in nodes where node.traits.contains(.watcher) { node.stopListening() }
        guard fromOutside || isWanted() else { return JobList() }
        guard leavesOthers, !fromOutside else { return Node.jobs(cancelling: nodes, as: &unfinished) }
        // A listener that stayed would keep its source from being cancelled.
        for node in nodes { node.stopListening() }
        return JobList()
    }

    /// The listeners that are no watchers.
    var listeners: [Node] { nodes.filter { !$0.traits.contains(.watcher) } }
}

extension Node {
    /// Stops listening without cancelling the upstream node. Does nothing if this listener was called already.
    func stopListening() {
        // Under the lock, because the job that calls this listener may be running on another thread.
        guard let listeners = lock() else { return }
        let upstream = upstream
        unlock(listeners)
        _ = upstream?.remove(self)
    }
}
