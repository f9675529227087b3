// LineNode: an entry of a line: an operation, or a future of the line's emptiness or capacity.

/// Where a node is, as its line sees it.
@usableFromInline
enum QueuePosition: UInt8 {
    /// Not enqueued yet, or over.
    case outside
    /// In the line. Next is `running` or `outside`.
    case waiting
    /// It has its turn. Next is `outside`, or `held`.
    case running
    /// It has its turn, which something else needs too. Next is `running` or, if it ends first, `outside`.
    case held
}

/// An entry of a line: an operation, or a future of the line's emptiness or capacity.
// Safe to share: the lock of the line guards what changes. Held by the tests of queues under the thread sanitizer.
// References by hand, as in `Node`: reading one takes none then, and most nodes have no lane and no time limits.
@usableFromInline
class LineNode: QueuedNode, @unchecked Sendable {
    @usableFromInline
    enum Kind: UInt8 {
        case operation
        /// It waits until the line is empty; the next time, if it is.
        case emptiness
        /// It waits until the line has capacity.
        case capacity
    }

    /// Its index among the operations that have their turn.
    @exclusivity(unchecked) @usableFromInline final var index: Int32 = 0
    @exclusivity(unchecked) @usableFromInline final var position: QueuePosition = .outside
    @usableFromInline final let kind: Kind
    @usableFromInline final let priority: QueuePriority
    /// Whether no other operation may run beside it.
    @usableFromInline final let isExclusive: Bool
    /// Not retained: what the operation captures retains it.
    @usableFromInline final let lineReference: Unmanaged<Line>
    /// Retained: in a line with keys, the lane of its key.
    @exclusivity(unchecked) @usableFromInline final var laneReference: Unmanaged<Lane>?
    /// Retained.
    @usableFromInline final let limitsReference: Unmanaged<TimeLimits>?

    /// Makes an operation. What it is called with must retain `line`.
    @inlinable
    init(
        in line: __shared Line, _ lane: __shared Lane?, on scheduler: __shared Scheduler,
        _ options: __shared QueueOptions, _ closure: consuming Closure = Closure(), _ operation: @escaping Operation
    ) {
        kind = .operation
        priority = options.priority
        isExclusive = options.isExclusive
        lineReference = .passUnretained(line)
        laneReference = lane.map { .passRetained($0) }
        limitsReference = options.timeLimits.map { .passRetained($0) }
        super.init(on: scheduler, closure, origin: options.origin, operation: operation)
    }

    /// Makes a future of the line's emptiness or capacity.
    init(_ kind: Kind, of line: Line) {
        self.kind = kind
        priority = .normal
        isExclusive = false
        lineReference = .passUnretained(line)
        limitsReference = nil
        super.init(on: .inPlace, Closure(), origin: .init()) { [line] node, _ in
            withExtendedLifetime(line) {
                node.settleInJob(())
                node.lineNode.endTurnAfterListeners()
            }
        }
    }

    init(repeating node: LineNode) {
        kind = node.kind
        priority = node.priority
        isExclusive = node.isExclusive
        lineReference = node.lineReference
        // That of the node may be changing.
        laneReference = node.line.state.withLock { _ in node.lane }.map { .passRetained($0) }
        limitsReference = node.timeLimits.map { .passRetained($0) }
        super.init(repeating: node)
    }

    deinit {
        // The deinit of its key is the user's.
        if let laneReference { DeferredReleases.here.release(laneReference.takeRetainedValue()) }
        limitsReference?.release()
    }

    final var line: Line { lineReference.takeUnretainedValue() }
    final var lane: Lane? { laneReference?.takeUnretainedValue() }
    final var timeLimits: TimeLimits? { limitsReference?.takeUnretainedValue() }
    /// Whether it has its turn. Requires the line's lock.
    final var hasTurn: Bool { position == .running || position == .held }
    final var awaitsEmptiness: Bool { kind == .emptiness }

    override func copy() -> QueuedNode? { LineNode(repeating: self) }

    @usableFromInline
    override func enqueue() { lineReference._withUnsafeGuaranteedRef { $0.enqueue(self) } }

    override func turnsAhead() -> TurnsAhead? { line.state.withLock { $0.turnsAhead(of: self) } }

    override var timerScheduler: Scheduler? { timeLimits?.maxRunning == nil ? nil : timeLimits?.scheduler(of: self) }

    @usableFromInline
    override func ended() {
        if Recording.isOn { Recording.recorder?.turnEnded(Inspected(exactly: self)) }
        lineReference._withUnsafeGuaranteedRef { $0.leave(self) }
    }

    /// Starts the time limit of an operation that starts.
    @inlinable
    final func startTime() {
        if limitsReference != nil { startRunningTime() }
    }

    @usableFromInline
    final func startRunningTime() { keepFromNowOn(timeLimits!.runningTimer(of: self)) }
}

extension Node {
    /// This node as an entry of its line.
    @inlinable var lineNode: LineNode { unsafeDowncast(self, to: LineNode.self) }
}
