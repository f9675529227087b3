// Combination: what a node that combines others waits for.

/// What a node that combines others waits for: its listeners to its children. When the node settles, the listeners are
/// cancelled, and with them each child without other listeners.
///
/// The recipe of the node retains the children, so a combination may read their results at any time.
// Safe to share: `listeners` is written by the thread that starts the node, and taken by the one that detaches it. A cancel
// leaves the combination in the node while that starts (`endsWhenStarted`), so it is detached before or after that write.
// `left` and `stopping` are written under the node's lock, which the thread that detaches it takes before. Tested by
// `CombinationRaceTests` and `RepeatedProgramTests`, under the thread sanitizer, and by a planted fault.
package final class Combination: @unchecked Sendable {
    /// Attaches listeners to the children, for the node that combines them. Returns those to cancel when the node settles.
    package typealias Start = @Sendable (Node, [Node]) -> [Node]

    let children: [Node]
    /// Whether all children are needed to settle the node with a value; otherwise it is one of them.
    package let needsAll: Bool
    /// Whether the children are cancelled only if the node is ended from outside (`cancelNonCompleted: false`).
    let leavesOthers: Bool
    /// Whether the children are never cancelled.
    let isShield: Bool
    package let start: Start
    /// Nil before it has started, and when it was detached.
    private var listeners: [Node]?
    /// What its children have left unfinished.
    private var left: Unfinished?
    /// That of the cancel that came while it started.
    private var stopping: Unfinished?

    init(of children: [Node], needsAll: Bool, leavesOthers: Bool, isShield: Bool, _ start: @escaping Start) {
        self.children = children
        (self.needsAll, self.leavesOthers, self.isShield) = (needsAll, leavesOthers, isShield)
        self.start = start
    }

    /// What a node that combines others has kept.
    static func kept(_ local: Kept) -> Combination { local.known(as: Combination.self)! }

    /// Returns a combination of other children in the same way.
    func again(_ children: [Node]) -> Combination {
        Combination(of: children, needsAll: needsAll, leavesOthers: leavesOthers, isShield: isShield, start)
    }

    func begin(for node: Node) { listeners = start(node, children) }

    /// Notes that the node was ended while it started. What the combination cancels then is part of `unfinished`.
    func endsWhenStarted(as unfinished: Unfinished) { stopping = unfinished.hold() }

    /// Notes what a child has left unfinished.
    func meet(_ other: Unfinished) { left = .merged(left, other) }

    /// What it waits for, once it has started: its listeners, or the children of a shield.
    var awaited: [Node] { listeners.flatMap { $0.isEmpty ? nil : $0 } ?? children }

    /// Cancels the listeners to the children. Returns the jobs that follow, for the caller to serve.
    ///
    /// `settled`: whether the children have settled the node with a value; nil if it was ended from outside. `unfinished`:
    /// what this stops and what the children have left. The caller has to end it.
    func detach(settledWithValue settled: Bool?, as unfinished: inout Unfinished?) -> JobList {
        let isFromOutside = settled == nil || stopping != nil
        if unfinished == nil { unfinished = stopping.take() ?? left.map { _ in Unfinished(within: nil) } }
        unfinished?.meet(left.take())
        // The recipe keeps this object, and the listeners refer to the children.
        var unneeded = listeners.take()
        defer { DeferredReleases.here.release(&unneeded) }
        // A repetition may be cancelled before it listens to its children, which may have started.
        guard let unneeded else { return isShield ? JobList() : Node.jobs(cancelling: children, as: &unfinished) }
        if isFromOutside || !leavesOthers && !(needsAll && settled == true) {
            return Node.jobs(cancelling: unneeded, as: &unfinished)
        }
        // If all children were needed, all listeners were called.
        if leavesOthers { for listener in unneeded { listener.stopListening() } }
        return JobList()
    }
}

extension Node {
    /// Calls `body`, which reads the results of this combination's children. The recipe retains them, so none releases its
    /// value early; what does so later acquires these reads.
    func readChildren(_ body: () -> Void) {
        body()
        for child in combinationOfRecipe?.children ?? [] { child.publishReads() }
    }

    /// Notes what a child has left unfinished, before that child may settle this combination.
    func meet(_ left: Unfinished) {
        guard let listeners = lock() else { return }
        combination?.meet(left)
        unlock(listeners)
    }

    /// Stops listening without cancelling the upstream node. Does nothing if this listener was called already.
    func stopListening() {
        // Under the lock, because the job that calls this listener may be running on another thread.
        if case let upstream?? = withLock({ _ in upstream }) { _ = upstream.remove(self) }
    }

    /// The combination of this node, pending or settled. Nil if it combines nothing.
    package var combinationOfRecipe: Combination? {
        traits.contains(.combines) ? closure.load(as: Combining.self).call() : nil
    }
}
