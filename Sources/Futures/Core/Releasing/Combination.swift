// Combination: what a node that combines others has started, and the results of those.

internal import Synchronization

/// What a node that combines others has started: its listeners to its children. When the node has ended, the children's
/// results may be released.
///
/// A combination reads the results of all its children when the last one has settled, and has no claims on them.
/// Another thread may cancel it meanwhile. So the reader first marks the combination, under the node's lock
/// (`Node.readChildren`). Of the reader and the thread that disposes, the later one releases the results.
// Safe to share: `attached` and `hasBegun` are written once, while the node is starting. A cancel that comes meanwhile
// does not take the disposable from the node (`isStartingToCombine`), so the combination is disposed before or after
// that write. And `phase` is atomic. Tested by `CombinationRaceTests` and `RepeatedCombinationTests`, under the thread
// sanitizer.
@usableFromInline
final class Combination: Disposable, @unchecked Sendable {
    /// The events that are needed to settle the combination, as far as is known.
    @usableFromInline
    enum Needs: Sendable {
        /// All children.
        case allOfThem
        /// One child, if nothing else may settle the combination.
        case oneOfThem
        /// One child, or a timer on this scheduler.
        case oneOfThemOrTimer(Scheduler)
        /// The first child; or a timer on this scheduler, and then the second child.
        case firstOrTimerAndSecond(Scheduler)
    }

    /// A function that attaches listeners to the children, for the node that combines them. It returns the object that
    /// cancels those listeners, or nil if there is nothing to cancel.
    @usableFromInline
    typealias Start = @Sendable (Node, [Node]) -> DetachListeners?

    private enum Phase {
        static let reading: UInt8 = 1
        static let over: UInt8 = 2
    }

    let children: [Node]
    let needs: Needs
    private let start: Start
    private var hasBegun = false
    private var attached: DetachListeners?
    private let phase = Atomic<UInt8>(0)

    init(of children: [Node], _ needs: Needs, _ start: @escaping Start) {
        self.children = children
        self.needs = needs
        self.start = start
    }

    func begin(for node: Node) {
        attached = start(node, children)
        hasBegun = true
    }

    /// The combination's listeners, including those to nodes that it has made from its children. Nil if it has no
    /// `DetachListeners`.
    fileprivate var listeners: [Node]? { attached?.listeners }

    @usableFromInline
    func dispose() { ThreadState.here.serve(ending: detach) }

    /// Cancels the listeners to the children before any callback is called. Returns the jobs that follow, for the
    /// caller to serve.
    func detach() -> JobList {
        // A repetition may be cancelled before it has begun to listen. Its children, which may have started, are
        // cancelled themselves then.
        let jobs = hasBegun ? attached?.detach() ?? JobList() : Node.jobs(cancelling: children)
        let old = phase.bitwiseOr(Phase.over, ordering: .acquiringAndReleasing).oldValue
        if old & Phase.reading == 0 { releaseResults() }
        return jobs
    }

    /// Requires the lock of the node, which is pending.
    func beginReading() { phase.bitwiseOr(Phase.reading, ordering: .relaxed) }

    func endReading() {
        for child in children { child.publishReadsOfResult() }
        let old = phase.bitwiseAnd(~Phase.reading, ordering: .acquiringAndReleasing).oldValue
        if old & Phase.over != 0 { releaseResults() }
    }

    private func releaseResults() {
        guard children.contains(where: \.isTracked) else { return }
        // Released after the job in progress: that is the job of the listener that has ended the combination, and it
        // refers to a child.
        let (results, releases) = (Results(children), DeferredReleases.here)
        if releases.isDeferring {
            releases.releaseLast(results)
        } else {
            ThreadState.here.serveNext(JobList(ClosureJob(.urgent) { withExtendedLifetime(results) {} }))
        }
    }

    /// An object that releases the children's results when it is deallocated.
    private final class Results: Sendable {
        private let children: [Node]

        init(_ children: [Node]) { self.children = children }

        deinit { Node.releaseResults(of: children) }
    }
}

extension Node {
    /// The nodes that this combination waits for: its listeners once it has started, before that its children. Requires
    /// the lock.
    var awaited: [Node] {
        guard let combination else { return [] }
        // While it starts, another thread may be writing `attached`.
        guard case .begun = progress else { return combination.children }
        return combination.listeners ?? combination.children
    }

    /// Calls `body`, which reads the results of this combination's children. Does nothing if the combination has a
    /// result, published or only stored, because the children's results may have been released.
    func readChildren(_ body: () -> Void) {
        guard let listeners = lockToSettleFromOutside() else { return }
        let combination = combination
        combination?.beginReading()
        unlock(listeners)
        body()
        combination?.endReading()
    }

    /// Settles this combination with the result of `child`, unless it already has a result.
    func settleFromOutside(as child: Node) {
        readChildren { settleFromOutside(copying: child) }
    }

    /// Publishes that this thread has read the result to the thread that releases it, if it may be released early.
    fileprivate func publishReadsOfResult() {
        if isTracked {
            publishReads()
        } else if isLink {
            target.publishReadsOfResult()
        }
    }

    /// Whether there is a result that may be released early.
    fileprivate var isTracked: Bool {
        let word = word.load(ordering: .relaxed)
        return word & Word.settled != 0 && word & Word.tracked != 0
    }

    /// Releases the results of the nodes to which only the array refers. The array belongs to the recipe of their
    /// combination, which does not read their results. All copies of the array share its elements, so a node in it is
    /// referenced once by all of them.
    fileprivate static func releaseResults(of nodes: [Node]) {
        // The references are not counted: a reference that is taken for the test would be one too many. An array of
        // objects is an array of pointers.
        nodes.withUnsafeBytes { bytes in
            for node in bytes.assumingMemoryBound(to: Unmanaged<Node>.self) where node.isUnique {
                _ = node._withUnsafeGuaranteedRef { $0.release(claims: 0) }
            }
        }
    }
}
