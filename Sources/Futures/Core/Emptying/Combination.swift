// Combination: what a node that combines others has begun, and the results of those.

internal import Synchronization

/// What a node that combines others has begun: it listens to its children. When it is over, their results may go.
///
/// A combination reads the results of all its children when the last one has come, and a cancel may come meanwhile,
/// from another thread. So a reader marks the combination first, under the node's lock (`Node.readChildren`). Of the
/// reader and the thread that disposes, the one that finishes last releases the results.
// Safe to share: `leaving` is written once, while the node is starting. A cancel that comes meanwhile leaves the node
// its disposable (`isStartingToCombine`), so that this is disposed before or afterwards. And `phase` is atomic. Held by
// `CombinationRaceTests` and `RepeatedCombinationTests`, under the thread sanitizer.
@usableFromInline
final class Combination: Disposable, @unchecked Sendable {
    /// What has to come before it can settle, as far as is known.
    @usableFromInline
    enum Needs: Sendable {
        case allOfThem
        /// One, if there is nothing else that may settle it.
        case oneOfThem
        /// One, or a timer on this scheduler.
        case oneOfThemOrTimer(Scheduler)
        /// The first one, or a timer on this scheduler and then the second one.
        case firstOrTimerAndSecond(Scheduler)
    }

    /// Listens to the children as the node that combines them, and returns what leaves them; nil if nothing is to be
    /// left.
    @usableFromInline
    typealias Start = @Sendable (Node, [Node]) -> Leaving?

    private enum Phase {
        static let reading: UInt8 = 1
        static let over: UInt8 = 2
    }

    let children: [Node]
    let needs: Needs
    private let start: Start
    private var hasBegun = false
    private var leaving: Leaving?
    private let phase = Atomic<UInt8>(0)

    init(of children: [Node], _ needs: Needs, _ start: @escaping Start) {
        self.children = children
        self.needs = needs
        self.start = start
    }

    func begin(for node: Node) {
        leaving = start(node, children)
        hasBegun = true
    }

    /// The combination's listeners, also those to nodes that it has made of its children; nil if it has no `Leaving`.
    fileprivate var listeners: [Node]? { leaving?.listeners }

    @usableFromInline
    func dispose() { ThreadState.here.serve(ending: leave) }

    /// Cancels the children before anything is called. Returns the jobs that follow, for the caller to serve.
    func leave() -> JobList {
        // Cancelled before it began, as a repetition may be: its children have not begun either.
        let jobs = hasBegun ? leaving?.leave() ?? JobList() : Node.jobs(cancelling: children)
        let old = phase.bitwiseOr(Phase.over, ordering: .acquiringAndReleasing).oldValue
        if old & Phase.reading == 0 { releaseResults() }
        return jobs
    }

    /// Under the lock of the node, which is pending.
    func beginReading() { phase.bitwiseOr(Phase.reading, ordering: .relaxed) }

    func endReading() {
        for child in children { child.publishReadsOfResult() }
        let old = phase.bitwiseAnd(~Phase.reading, ordering: .acquiringAndReleasing).oldValue
        if old & Phase.over != 0 { releaseResults() }
    }

    private func releaseResults() {
        guard children.contains(where: \.isTracked) else { return }
        // After the job in progress, which is the listener's of the child that has ended it, and refers to that.
        let (results, releases) = (Results(children), DeferredReleases.here)
        if releases.isDeferring {
            releases.releaseLast(results)
        } else {
            ThreadState.here.serveNext(JobList(ClosureJob(.urgent) { withExtendedLifetime(results) {} }))
        }
    }

    /// The children's results, which are released with this object.
    private final class Results: Sendable {
        private let children: [Node]

        init(_ children: [Node]) { self.children = children }

        deinit { Node.releaseResults(of: children) }
    }
}

extension Node {
    /// The nodes that this combination waits for: its listeners once it has started, before that its children. Under
    /// its lock.
    var awaited: [Node] {
        guard let combination else { return [] }
        // While it starts, another thread may be writing `leaving`.
        guard case .begun = progress else { return combination.children }
        return combination.listeners ?? combination.children
    }

    /// Calls `body`, which reads the results of this combination's children, unless this is over: they may be gone
    /// then.
    func readChildren(_ body: () -> Void) {
        guard let listeners = lock() else { return }
        let combination = combination
        combination?.beginReading()
        unlock(listeners)
        body()
        combination?.endReading()
    }

    /// Shows the thread that releases the result, if that may be early, that this thread has read it.
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

    /// Releases the results of those nodes that nobody but the array refers to. The array is their combination's
    /// recipe, which does not read their results.
    fileprivate static func releaseResults(of nodes: [Node]) {
        // As references that are not counted: one that is taken to look would be one too many. An array of objects is
        // one of pointers.
        nodes.withUnsafeBytes { bytes in
            for node in bytes.assumingMemoryBound(to: Unmanaged<Node>.self) where node.isUnique {
                _ = node._withUnsafeGuaranteedRef { $0.release(claims: 0) }
            }
        }
    }
}
