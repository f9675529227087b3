// Combination: what a node that combines others has started, and the results of those.

internal import Synchronization

/// What a node that combines others has started: its listeners to its children. When the node has ended, the children's
/// results may be released.
///
/// A combination reads the results of all its children when the last one has settled, and has no claims on them.
/// Another thread may cancel it meanwhile. So each reader is first counted, under the node's lock
/// (`Node.readChildren`). Of the readers and the thread that disposes, the last one releases the results.
// Safe to share: `attached` and `hasBegun` are written by the thread that starts the node. A cancel that comes
// meanwhile does not take the disposable from the node (`isStartingToCombine`), so the combination is disposed before
// or after that write; the one thread that disposes it takes `attached`. `late` belongs to the thread that has set
// `Phase.retries`. `held` and `wasEndedBefore` are written by that cancel under the node's lock, which the starting
// thread takes before it detaches. And `phase` is atomic. Tested by `CombinationRaceTests` and
// `RepeatedCombinationTests`, under the thread sanitizer, and by the planted fault
// `a-combination-forgets-a-cancel-while-it-starts`.
@usableFromInline
final class Combination: Disposable, @unchecked Sendable {
    /// The events that are known to be needed to settle the combination.
    @usableFromInline
    enum Needs: Sendable {
        /// All children.
        case allOfThem
        /// One child, if nothing else may settle the combination.
        case oneOfThem
        /// One child, or a timer on this scheduler.
        case oneOfThemOrTimer(Scheduler)
    }

    /// A function that attaches listeners to the children, for the node that combines them. It returns the object that
    /// cancels those listeners, or nil if there is nothing to cancel.
    @usableFromInline
    typealias Start = @Sendable (Node, [Node]) -> DetachListeners?

    /// How a combination ends.
    enum End: Sendable {
        /// Its node settles with a value, by its children or a timer.
        case success
        /// Its node settles with an error, by its children or a timer.
        case failure
        /// Its node is cancelled, aborted or timed out: not settled by its children.
        case endedByOthers
    }

    private enum Phase {
        static let over: UInt32 = 1
        /// With `over`: children may have results that no listener has received.
        static let losesResults: UInt32 = 2
        /// A `LateRelease` waits for its next attempt.
        static let retries: UInt32 = 4
        /// No result is left.
        static let empty: UInt32 = 8
        /// The other bits count the threads that are reading.
        static let reader: UInt32 = 16
    }

    let children: [Node]
    let needs: Needs
    /// The number of children whose values a success uses. If more children have values, some of them have lost.
    let uses: Int
    /// The number of children that can settle the node.
    let count: Int
    /// A repetition fails immediately, and its children do not start, if one of these has settled.
    let signals: [Node]
    let start: Start
    private var hasBegun = false
    private var wasEndedBefore = false
    private var attached: DetachListeners?
    private let phase = Atomic<UInt32>(0)
    private var late: LateRelease?
    private var held: HeldTurns?

    /// `uses`: by default, as many as are needed.
    init(
        of children: [Node], counting count: Int, _ needs: Needs, using uses: Int?, unless signals: [Node],
        _ start: @escaping Start
    ) {
        self.children = children
        self.count = count
        self.signals = signals
        self.needs = needs
        if case .allOfThem = needs { self.uses = uses ?? children.count } else { self.uses = uses ?? 1 }
        self.start = start
    }

    /// Returns a combination of other children in the same way.
    func again(_ children: [Node]) -> Combination {
        Combination(of: children, counting: count, needs, using: uses, unless: signals, start)
    }

    func begin(for node: Node) {
        attached = start(node, children)
        hasBegun = true
    }

    /// Notes that the combination was cancelled or failed while it started, and the turns that wait for what it cancels
    /// when it has started.
    func endsWhenStarted(holding turns: HeldTurns?) {
        turns?.hold()
        held = turns
        wasEndedBefore = true
    }

    /// The combination's listeners, including those to nodes that it has made from its children. Nil if it has no
    /// `DetachListeners`.
    var listeners: [Node]? { attached?.listeners }

    @usableFromInline
    func dispose() { ThreadState.here.serve { detach(after: .endedByOthers) } }

    /// Cancels the listeners to the children before any callback is called. Returns the jobs that follow, for the
    /// caller to serve.
    func detach(after end: End) -> JobList {
        let end = wasEndedBefore ? .endedByOthers : end
        // A repetition may be cancelled before it has begun to listen. Its children, which may have started, are
        // cancelled themselves then.
        var jobs = JobList()
        ThreadState.here.holding(held.take()) {
            jobs = hasBegun ? attached?.detach(after: end) ?? JobList() : Node.jobs(cancelling: children)
        }
        // The recipe keeps this object, and the listeners refer to the children.
        var unneeded = attached.take()
        DeferredReleases.here.release(&unneeded)
        // Counted after the cancel, because a child that it still cancels has no value.
        let usesAll = end == .success && !hasMoreSuccesses(than: uses)
        let over = usesAll ? Phase.over : Phase.over | Phase.losesResults
        let old = phase.bitwiseOr(over, ordering: .acquiringAndReleasing).oldValue
        if old < Phase.reader { releaseResultsLater() }
        return jobs
    }

    /// Notes that the node is about to settle with the result of `node`. If that is no child, such as the second run of
    /// a `hedged` future, no value of a child is used.
    func noteUse(of node: Node) {
        if !hasChild({ $0 === node || $0.resolved === node }) {
            phase.bitwiseOr(Phase.losesResults, ordering: .relaxed)
        }
    }

    /// Requires the lock of the node, which is pending.
    func beginReading() { phase.wrappingAdd(Phase.reader, ordering: .relaxed) }

    func endReading() {
        children.forEachUnretained { $0._withUnsafeGuaranteedRef { $0.publishReadsOfResult() } }
        let phase = phase.wrappingSubtract(Phase.reader, ordering: .acquiringAndReleasing).newValue
        if phase < Phase.reader, phase & Phase.over != 0 { releaseResultsLater() }
    }

    /// Releases the children's results after the job in progress: that is the job of the listener that has ended the
    /// combination, and it refers to a child.
    func releaseResultsLater() {
        let losesResults = losesResults
        guard hasChild({ $0.isTracked || losesResults && $0.isSuccess && $0.hasUpstream }) else { return }
        release(Results(self))
    }

    /// Does the same for the source of a listener, which has ended its claim late. Not for all children, as many
    /// listeners may do so, one after the other.
    ///
    /// `isChild`: whether the source is known to be a child. Otherwise it may be a node that was made from a child, and
    /// that is not kept.
    func releaseResultLater(of source: Node, isChild: Bool) {
        guard isChild || hasChild({ $0 === source }) else { return }
        release(Results(self, of: .passUnretained(source)))
    }

    private func release(_ results: Results) {
        let releases = DeferredReleases.here
        if releases.isDeferring {
            releases.releaseLast(results)
        } else {
            ThreadState.here.serveNext(JobList(ClosureJob(.urgent) { withExtendedLifetime(results) {} }))
        }
    }

    /// An object that releases the results of the children, or that of one of them, when it is deallocated.
    // Safe to share: both are constants, and the combination retains the child. Tested by `LatePermitStressTests`.
    private final class Results: @unchecked Sendable {
        private let combination: Combination
        private let child: Unmanaged<Node>?

        init(_ combination: Combination, of child: Unmanaged<Node>? = nil) {
            self.combination = combination
            self.child = child
        }

        deinit {
            let losesResults = combination.losesResults
            UnreadResults.release {
                if let child {
                    $0.add(child, mayRelease: combination.mayRelease, goesOn: losesResults)
                } else {
                    combination.takeResults(&$0)
                }
            } ifIncomplete: {
                if losesResults { combination.releaseUnreadLater() }
            }
        }
    }

    /// Releases the results of the children that no code can ask for; and of what is upstream of those, if the
    /// combination does not use them.
    func releaseResults() { UnreadResults.release(takeResults) }

    private func takeResults(_ results: inout UnreadResults) { Self.takeResults(of: children, phase, &results) }

    /// Does so for a combination without the object itself: `children` and `phase` are its own.
    private static func takeResults(
        of children: [Node], _ phase: borrowing Atomic<UInt32>, _ results: inout UnreadResults
    ) {
        let goesOn = phase.load(ordering: .relaxed) & Phase.losesResults != 0
        if phase.load(ordering: .relaxed) & Phase.empty == 0 {
            results.add(children, mayRelease: mayRelease(phase), goesOn: goesOn)
        }
        if goesOn, results.isComplete, !children.containsUnretained(where: { !$0.isSettled }) {
            phase.bitwiseOr(Phase.empty, ordering: .relaxed)
        }
    }

    /// Whether no result is left, neither of the children nor of what is upstream of them. So that each of many nested
    /// combinations does not look at all that are further in.
    var isEmpty: Bool { phase.load(ordering: .relaxed) & Phase.empty != 0 }

    private func hasChild(_ test: (Node) -> Bool) -> Bool { children.containsUnretained(where: test) }

    /// Whether a child's result may be released if only the recipe of this combination refers to the child: not while
    /// the combination is pending, or threads are reading the results. The recipe does not read them.
    var mayRelease: Bool { Self.mayRelease(phase) }

    private static func mayRelease(_ phase: borrowing Atomic<UInt32>) -> Bool {
        // Acquiring, because another thread may have read them. No reader comes any more.
        let phase = phase.load(ordering: .acquiring)
        return phase < Phase.reader && phase & Phase.over != 0
    }

    private func releaseUnreadLater() {
        guard Self.beginsToWait(phase) else { return }
        if let late { return late.start() }
        let (phase, children) = (AddressOfAtomic(phase), children)
        late = LateRelease { results in
            phase.pointer.pointee.bitwiseAnd(~Phase.retries, ordering: .acquiringAndReleasing)
            Self.takeResults(of: children, phase.pointer.pointee, &results)
            return !results.isComplete && Self.beginsToWait(phase.pointer.pointee)
        }
        late?.start()
    }

    /// Sets the bit for `LateRelease`. Returns whether it was clear.
    private static func beginsToWait(_ phase: borrowing Atomic<UInt32>) -> Bool {
        phase.bitwiseOr(Phase.retries, ordering: .acquiringAndReleasing).oldValue & Phase.retries == 0
    }

    deinit { late?.end() }

    private var losesResults: Bool { phase.load(ordering: .relaxed) & Phase.losesResults != 0 }

    private func hasMoreSuccesses(than count: Int) -> Bool {
        guard count < children.count else { return false }
        var successes = 0
        return hasChild {
            if $0.isLink ? $0.target.isSuccess : $0.isSuccess { successes += 1 }
            return successes > count
        }
    }
}
