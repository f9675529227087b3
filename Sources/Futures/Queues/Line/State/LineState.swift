// LineState: which operations wait in a queue, which run, and which is next.

/// A pure state machine: what a queue does next. It calls nothing.
///
///     arrive ──┬─ there is room beside those that run ──► running ── leave ──► outside, the next ones start
///              ├─ else ──► waiting ──┬─ its turn comes ──► running
///              │                     └─ leave (it was cancelled) ──► outside
///              └─ closed, or too many wait ──► refused
///
/// Every node that it starts has to leave once; leaving again does nothing. `goOn` returns jobs, to be served after the
/// lock was released: an operation that starts, and futures that waited for an empty queue or for capacity. A change that
/// may lead to jobs, and does not return them, is made by `Line.adjust`.
///
/// A queue with keys has a lane for each key. Any other queue has one lane, which is part of this state: where a
/// function takes a lane, nil is that one.
package struct LineState {
    enum Arrival {
        /// It has its turn, and this job starts it; the line is empty; or it has capacity.
        case begins(Job)
        /// It waits; whether a watchdog looks at the line already, and the operations that start, as it may be lighter
        /// than what it has overtaken.
        case waits(isWatched: Bool, JobList = JobList())
        case refused(any Error)
    }

    var limit: Int
    /// How many fewer than `limit` may run now, because their pool lacks resources for them. Zero in a queue.
    package var lackingCount = 0
    let limits: LineLimits
    /// How many operations of a key may have their turn at the same time; no limit in a queue without keys.
    package let laneLimit: Int
    /// The lanes of a queue with keys in which something waits or runs.
    var table = KeyTable<Lane>()
    /// The lanes of which one waits that only the queue's own limit keeps from starting, first in, first out.
    var ready = KeyList<Lane>()
    private(set) var onlyLane = LaneState()
    /// The starts that the rate allows; nil without a rate.
    private(set) var tokens: RateTokens?
    /// The time by the clock of the rates, since `reference`.
    private(set) var now = Duration.zero
    static let reference = ContinuousClock.now
    typealias Delay = (tokens: RateTokens, lane: Lane?, delay: Duration, number: Int)
    /// The rates whose timer has to be started.
    var delays: [Delay] = []
    /// The nodes that wait for the queue to be empty, and for capacity.
    var forEmptiness = Listeners()
    var forRoom = Listeners()
    /// The producer that was admitted and whose listeners are being called, which may enqueue: the next one is admitted
    /// afterwards.
    var admitted: ObjectIdentifier?

    package var waitingCount = 0
    package private(set) var runningCount = 0
    /// How many aborts have yet to fail what they have taken out.
    var abortCount = 0
    /// The sum of the weights of the operations that have their turn.
    private(set) var runningWeight = 0
    /// Whether a watchdog looks at the line: until it finds that nothing waits.
    var isWatched = false
    /// How many looks of the watchdog are left out, because a look takes long.
    var watchPause = 0

    var isPaused = false
    var closedError: (any Error)?

    init(_ limits: LineLimits) {
        self.limits = limits
        limit = limits.maxConcurrentCount
        laneLimit = limits.maxConcurrentCountPerKey ?? .max
        if let clock = limits.clock { now = Self.reference.duration(to: clock.now) }
        _ = setRate(limits.rate)
    }

    package var isKeyed: Bool { limits.maxConcurrentCountPerKey != nil }

    var isEmpty: Bool { runningCount == 0 && waitingCount == 0 && abortCount == 0 }

    package subscript(lane: Lane?) -> LaneState { lane?.state ?? onlyLane }

    /// All lanes if `lane` is nil, and else that one.
    func lanes(_ lane: Lane? = nil) -> [Lane?] {
        isKeyed && lane == nil ? table.all.map(Optional.some) : [lane]
    }

    // A subscript that changes a lane is not inlined, for 30 instructions each time.
    @inline(__always)
    mutating func change<T>(_ lane: Lane?, _ body: (inout LaneState) -> T) -> T {
        if let lane { body(&lane.state) } else { body(&onlyLane) }
    }

    /// A node that is not in the line asks for its turn. If it may not wait, it is refused instead. The caller must
    /// retain the node's lane, which may become another one.
    mutating func arrive(_ node: LineNode, _ mayWait: Bool) -> Arrival {
        if let lane = node.lane { node.lane = present(lane) }
        let lane = node.lane
        if let closedError { return .refused(closedError) }
        if node.weight > limit { return .refused(QueueError.tooHeavy(weight: node.weight, limit: limit)) }
        if mayBegin, fits(node.weight), admits(lane) {
            enter(lane)
            change(lane) { $0.begin(node) }
            if let lane { tokens(of: lane)?.take() }
            begin(node)
            return .begins(node)
        }
        // A repetition, which its chain knows already: when it was cancelled, it had nothing to leave.
        if node.isSettled || !mayWait { return .refused(CancellationError()) }
        if isFull { return .refused(QueueError.full(maxWaitingCount: limits.maxWaitingCount)) }
        node.position = .waiting
        waitingCount += 1
        enter(lane)
        change(lane) { $0.append(node) }
        update(lane)
        defer { isWatched = true }
        return .waits(isWatched: isWatched, mayBegin ? goOn() : JobList())
    }

    /// Moves an operation behind those that have this priority already; returns false if it does not wait.
    mutating func setPriority(_ priority: QueuePriority, of node: LineNode) -> Bool {
        guard node.position == .waiting else { return false }
        if node.priority == priority { return true }
        change(node.lane) {
            $0.take(node)
            node.priority = priority
            $0.append(node)
        }
        return true
    }

    /// Removes a node that has completed, or was cancelled while it waited. The caller must retain it: no last reference
    /// is released under the lock.
    mutating func leave(_ node: LineNode) -> JobList {
        let lane = node.lane
        switch node.position {
        case .outside:
            return JobList()
        case .waiting:
            node.position = .outside
            waitingCount -= 1
            change(lane) { $0.take(node) }
            update(lane)
        case .held:
            detach(node)
            return JobList()
        case .running:
            detach(node)
            giveBack(lane, node.weight)
        }
        return goOn()
    }

    /// Starts the operations that may start: to be called after each change that may allow that.
    mutating func goOn() -> JobList {
        var jobs = JobList()
        while mayBegin, waitingCount > 0, let next = beginNext() {
            jobs.append(jobs.isEmpty ? next : next.startBesideOthers)
        }
        if !forEmptiness.isEmpty || !forRoom.isEmpty { takeWatchers(into: &jobs) }
        return jobs
    }

    /// Whether an operation of the least weight may start.
    var mayBegin: Bool { fits(1) && !isPaused && hasToken }

    /// Whether an operation of this weight may run beside those that run. One that has waited while the limit became
    /// smaller than its weight runs alone.
    func fits(_ weight: Int) -> Bool { min(weight, limit) <= limit - lackingCount - runningWeight }

    /// The weight of the next operation; nil if none is ready.
    var nextWeight: Int? { isKeyed ? ready.first?.state.nextWeight : onlyLane.nextWeight }

    /// Whether the queue's rate lets another operation start.
    var hasToken: Bool { tokens?.hasToken ?? true }

    /// Whether a node that is enqueued now in this lane may start before all that wait, if the queue's limit allows it.
    private func admits(_ lane: Lane?) -> Bool {
        guard let lane else { return waitingCount == 0 }
        return ready.first == nil && !lane.state.isWaiting && mayBegin(in: lane)
    }

    /// Takes out the next node and starts it; returns nil if none may start. At least one must wait.
    private mutating func beginNext() -> LineNode? {
        // Alone, each of them fits: the operation is not read.
        guard runningCount == 0 || nextWeight.map(fits) ?? false,
            let node = isKeyed ? beginNextReady() : onlyLane.beginNext()
        else { return nil }
        waitingCount -= 1
        begin(node)
        return node
    }

    private mutating func begin(_ node: LineNode) {
        runningCount += 1
        node.position = .running
        runningWeight += node.weight
        tokens?.take()
    }

    mutating func update(_ lane: Lane?) {
        if let lane { update(lane) }
    }
}

extension LineState {
    /// Ends the hold of a node that may have left by now.
    mutating func release(_ node: LineNode) {
        if node.position == .held { node.position = .running } else { giveBack(node.lane, node.weight) }
    }

    /// Separates a node from its turn, which lasts until `giveBack`.
    mutating func detach(_ node: LineNode) {
        change(node.lane) { $0.forget(node) }
        node.position = .outside
    }

    mutating func giveBack(_ lane: Lane?, _ weight: Int) {
        runningCount -= 1
        runningWeight -= weight
        change(lane) { $0.endTurn() }
        update(lane)
    }
}

// Time, in a queue with a rate.
extension LineState {
    /// The starts that the old rate has counted count for the new one. Returns the old one.
    mutating func setRate(_ rate: RateLimit?) -> RateTokens? {
        exchange(&tokens, with: rate.map { RateTokens($0, at: now, after: tokens) })
    }

    /// Lets the time pass. To be called before each change.
    mutating func advance(to now: Duration) {
        self.now = now
        tokens?.advance(to: now)
    }

    /// Returns the delays after which `tick` has to be called. To be called after each change.
    mutating func takeDelays() -> [Delay] {
        if let tokens, let delay = tokens.timerDelay(isAwaited: waitingCount > 0 || !forRoom.isEmpty) {
            delays.append((tokens, nil, delay, tokens.timerNumber))
        }
        return exchange(&delays, with: [])
    }

    /// Those of the queue's rate and of the rates of its keys.
    var timers: [OwnedTimer] { ([tokens] + table.all.map(\.tokens)).compactMap { $0?.timer } }

    /// The timer of the queue's rate has fired or, with a lane, that of the rate of its key.
    mutating func tick(_ lane: Lane?) {
        if let lane {
            tokens(of: lane)?.tick()
            update(lane)
        } else {
            tokens?.tick()
        }
    }
}
