// LineNode: an entry of a line: an operation, or a future of the line's emptiness or capacity.

/// Where a node is, as its line sees it.
@usableFromInline
package enum QueuePosition: UInt8 {
    /// Not enqueued yet, or over.
    case outside
    /// In the line. Next is `running` or `outside`.
    case waiting
    /// It has its turn. Next is `outside`, or `held`.
    case running
    /// It has its turn, which something else keeps as well. Next is `running` or, if it ends first, `outside`.
    case held
}

/// An entry of a line: an operation, or a future of the line's emptiness or capacity.
// Safe to share: the lock of the line guards what changes. Tested by the tests of queues, under the thread sanitizer.
@usableFromInline
package class LineNode: QueuedNode, @unchecked Sendable {
    @usableFromInline
    package enum Kind: UInt8 {
        case operation
        /// It waits until the line is empty; the next time, if it is.
        case emptiness
        /// It waits until the line has capacity.
        case capacity
    }

    /// Its index among the operations that have their turn.
    @exclusivity(unchecked) @usableFromInline final var index: Int32 = 0
    @exclusivity(unchecked) @usableFromInline package final var position: QueuePosition = .outside
    @usableFromInline package final let kind: Kind
    @exclusivity(unchecked) @usableFromInline final var priority: QueuePriority
    /// How much of the line's limit it takes. That of a writer is the whole limit.
    @usableFromInline final let weight: Int
    @usableFromInline package final let line: Line
    /// In a line with keys, the lane of its key.
    @exclusivity(unchecked) @usableFromInline package final var lane: Lane?
    @usableFromInline package final let timeLimits: TimeLimits?

    /// Makes an operation.
    @inlinable
    init(
        in line: __shared Line, _ lane: __shared Lane? = nil, weight: Int = 1, kind: Kind = .operation,
        on scheduler: __shared Scheduler, _ options: __shared TurnOptions, _ origin: FutureError.SourceLocation,
        _ closure: consuming Closure = Closure(), _ operation: @escaping Operation
    ) {
        self.kind = kind
        priority = options.priority
        self.weight = weight
        self.line = line
        self.lane = lane
        timeLimits = options.waitTimeout == nil && options.runTimeout == nil ? nil : TimeLimits(options)
        super.init(on: scheduler, closure, origin: origin, operation: operation)
    }

    /// Makes a future of the line's emptiness or capacity.
    convenience init(_ kind: Kind, of line: Line) {
        self.init(in: line, kind: kind, on: .inPlace, TurnOptions(), .init()) { node, _ in
            node.settleInJob(())
            node.lineNode.endTurnAfterListeners()
        }
    }

    init(repeating node: LineNode) {
        kind = node.kind
        weight = node.weight
        line = node.line
        // Those of the node may be changing.
        (lane, priority) = line.state.withLock { _ in (node.lane, node.priority) }
        timeLimits = node.timeLimits
        super.init(
            on: node.scheduler.takeUnretainedValue(), node.closure, origin: node.origin, operation: node.operation)
    }

    deinit {
        // The deinit of a key is the user's. What an operation captures retains the line, too.
        if let lane = lane.take() { DeferredReleases.here.release(lane) }
        if kind != .operation { DeferredReleases.here.release(line) }
    }

    /// The job that starts this operation, which has got its turn together with others: on a concurrent scheduler, it runs
    /// beside those, also if that is the current one.
    final var startBesideOthers: Job {
        let scheduler = scheduler.takeUnretainedValue()
        if scheduler.isImmediate || scheduler.backend.isSerial { return self }
        return ClosureJob(.urgent) { scheduler.enqueue(self) }
    }

    final var awaitsEmptiness: Bool { kind == .emptiness }

    override func copy() -> QueuedNode? { LineNode(repeating: self) }

    @usableFromInline
    override func enqueue() { line.enqueue(self) }

    override func turnsAhead() -> (nodes: [Node], count: Int)? { line.state.withLock { $0.turnsAhead(of: self) } }

    override var timerScheduler: Scheduler? { timeLimits?.maxRunning == nil ? nil : timeLimits?.scheduler(of: self) }

    override func ended() {
        Recording.recorderIfOn?.turnEnded(self)
        line.leave(self)
    }

    /// Gives up the turn that was kept beside the node.
    func releaseTurn() { line.adjust { $0.release(self) } }

    /// Has the resource closed that an operation of a pool was lent: its cleanup has failed.
    func spoil() {}
}

extension Node {
    /// This node as an entry of its line.
    @inlinable var lineNode: LineNode { unsafeDowncast(self, to: LineNode.self) }
}

/// How long an operation may wait and run.
// An object: most operations have none.
@usableFromInline
package final class TimeLimits: Sendable {
    package let maxWaiting: Duration?
    let maxRunning: Duration?
    /// The clock of a node that is in place.
    private let scheduler: Scheduler

    @usableFromInline
    init(_ options: TurnOptions) {
        maxWaiting = options.waitTimeout
        maxRunning = options.runTimeout
        scheduler = Scheduler.current
    }

    /// Starts the time limit of the wait of a node that is in the line or has started.
    func startWaiting(_ node: QueuedNode) {
        guard let maxWaiting else { return }
        let timer = timer(of: node, maxWaiting) {
            $0.end(with: QueueError.waitTimedOut(after: maxWaiting), if: .unlessBegun)
        }
        node.keepFromNowOn(Kept(timer), isForWait: true)
    }

    /// Starts the time that the node may run, until it completes.
    @usableFromInline
    func startRunning(_ node: QueuedNode) { node.keepFromNowOn(runningTimer(of: node).flatMap { Kept($0) }) }

    /// Starts the time that the node may run, if there is one; what is returned stops it.
    func runningTimer(of node: QueuedNode) -> Disposer? {
        maxRunning.map { maxRunning in
            timer(of: node, maxRunning) { $0.end(with: QueueError.runTimedOut(after: maxRunning)) }
        }
    }

    /// The scheduler whose clock measures the node's limits, and on which they end it. They do not wait for the node's own.
    func scheduler(of node: QueuedNode) -> Scheduler {
        let own = node.scheduler.takeUnretainedValue()
        return (own.isInPlace ? scheduler : own).forLimits
    }

    /// Calls `body` once `delay` has passed for the node. The timer keeps the node until then.
    private func timer(
        of node: QueuedNode, _ delay: Duration, _ body: @escaping @Sendable (QueuedNode) -> Void
    ) -> Disposer {
        let timer = scheduler(of: node).async(after: delay) {
            if !node.hasSettled { Recording.recorderIfOn?.timedOut() }
            body(node)
        }
        // Disposing stops it, but releasing it does not have to.
        return Disposer { timer.dispose() }
    }
}
