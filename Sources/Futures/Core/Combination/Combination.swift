// Combination: what a node that combines others has started, and the results of those.

/// What a node that combines others has started: its listeners to its children.
///
/// The recipe of the node retains the children, so a combination may read their results at any time.
// Safe to share: `attached` is written by the thread that starts the node. A cancel that comes
// meanwhile does not take the disposable from the node (`endsWhenStarted`), so the combination is detached before or
// after that write; the one thread that detaches it takes `attached`. `left` and `stopping` are written under the node's
// lock, which that thread takes before. Tested by `CombinationRaceTests` and `RepeatedProgramTests`, under the thread
// sanitizer, and by the planted fault `a-combination-forgets-a-cancel-while-it-starts`.
final class Combination: Disposable, @unchecked Sendable {
    /// A function that attaches listeners to the children, for the node that combines them. It returns those that leave
    /// when the node ends; nil if the node has settled, or if they stay.
    typealias Start = @Sendable (Node, [Node]) -> ChildListeners?

    let children: [Node]
    /// Whether all children are known to be needed to settle the node; otherwise it is one of them, if nothing else may
    /// settle it.
    let needsAll: Bool
    /// The number of children that can settle the node.
    let count: Int
    /// A repetition fails immediately, and its children do not start, if one of these has settled.
    let signals: [Node]
    let start: Start
    /// Nil before it has started, if the listeners stay, and when it was detached.
    private var attached: ChildListeners?
    /// What its children have left unfinished.
    private var left: Unfinished?
    /// That of the cancel that came while it started.
    private var stopping: Unfinished?

    init(of children: [Node], counting count: Int, _ needsAll: Bool, unless signals: [Node], _ start: @escaping Start) {
        self.children = children
        self.count = count
        self.signals = signals
        self.needsAll = needsAll
        self.start = start
    }

    /// What a node that combines others has kept.
    // A checked cast would ask the runtime, which takes 150 instructions.
    static func kept(_ local: any Disposable & AnyObject) -> Combination { unsafeDowncast(local, to: Combination.self) }

    /// Returns a combination of other children in the same way.
    func again(_ children: [Node]) -> Combination {
        Combination(of: children, counting: count, needsAll, unless: signals, start)
    }

    /// A node that has failed, as the repetition, if one of the signals has settled. Nil if none has, or if the first
    /// child has a result that a repetition shares.
    var aborted: Node? {
        guard let signal = signals.lazy.map(\.resolved).first(where: \.isSettled),
            !(children[0].resolved.isSettled && !children[0].isRepeatable)
        else { return nil }
        return .settled(Result<Never, any Error>.failure(signal.reasonToAbort))
    }

    func begin(for node: Node) {
        attached = start(node, children)
    }

    /// Notes that the combination was cancelled or failed while it started. What it cancels when it has started is part
    /// of `unfinished`.
    func endsWhenStarted(as unfinished: Unfinished) {
        stopping = unfinished.hold()
    }

    /// Notes what a child has left unfinished.
    func meet(_ other: Unfinished) {
        left = .merged(left, other)
    }

    /// What it waits for, once it has started: its listeners, including those to nodes that it has made from its
    /// children.
    var awaited: [Node] { attached?.awaited ?? children }

    // Its node detaches it instead.
    func dispose() {}

    /// Cancels the listeners to the children before any callback is called. Returns the jobs that follow, for the
    /// caller to serve.
    ///
    /// `fromOutside`: whether the node was cancelled, aborted or timed out, and not settled by its children or a timer.
    /// `unfinished`: what this stops and what the children have left. The caller has to end it.
    func detach(fromOutside: Bool, as unfinished: inout Unfinished?) -> JobList {
        let fromOutside = fromOutside || stopping != nil
        if unfinished == nil { unfinished = stopping.take() ?? left.map { _ in Unfinished(within: nil) } }
        unfinished?.meet(left.take())
        // The recipe keeps this object, and the listeners refer to the children.
        var unneeded = attached.take()
        defer { DeferredReleases.here.release(&unneeded) }
        // A repetition may be cancelled before it has begun to listen. Its children, which may have started, are
        // cancelled themselves then. (Listeners that stay keep them.)
        return unneeded?.detach(fromOutside: fromOutside, as: &unfinished)
            ?? Node.jobs(cancelling: children, as: &unfinished)
    }
}
