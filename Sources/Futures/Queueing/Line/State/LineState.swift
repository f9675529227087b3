// LineState: who waits in a queue, who runs, and what comes next.

/// A pure state machine: what a queue does next. It calls nothing.
///
///     arrive ──┬─ there is room beside those that run ──► running ── leave ──► outside, the next ones begin
///              ├─ else ──► waiting ──┬─ its turn comes ──► running
///              │                     └─ leave (it was cancelled) ──► outside
///              └─ closed, or too many wait ──► refused
///
/// Every node that it begins has to leave once; leaving again does nothing.
struct LineState<Order: WaitingOrder> {
    enum Arrival {
        /// A timer has to bring the next token, if `fills`.
        case begins(fills: Bool)
        case waits
        case refused(any Error)
    }

    /// What is to be done without the lock.
    struct Action {
        /// Whose turn has come: one that begins, and those who waited for an empty queue, or for room.
        var jobs = JobList()
        /// Another one may begin, once that one has: so they begin in their order, whatever that one does.
        var goesOn = false
        /// What is to be released: a node that has left the line.
        var released: Node?
        /// A timer has to bring the next token.
        var fills = false
    }

    private let limit: Int
    let maxWaitingCount: Int
    private(set) var order: Order
    private var bucket: Bucket?
    private var onlookers = Onlookers()
    /// Whether there is more to look after than whose turn it is.
    private var isAttended: Bool

    private(set) var runningCount = 0
    /// Whether somebody may abort or resume: else nobody is kept.
    private(set) var isOwned = true
    /// An exclusive one runs.
    private var isExclusive = false

    private(set) var isPaused = false
    private(set) var closedError: (any Error)?
    private var endingError: (any Error)?
    /// What is called with the errors of cleanups.
    var cleanupHandler: (@Sendable (any Error) -> Void)?

    init(_ order: Order, _ limits: LineLimits) {
        self.order = order
        limit = limits.maxConcurrentCount
        maxWaitingCount = limits.maxWaitingCount
        bucket = limits.rate.map { Bucket(capacity: $0.burst) }
        isAttended = bucket != nil
    }

    var waitingCount: Int { order.count }
    var isEmpty: Bool { runningCount == 0 && order.count == 0 }

    /// A node that is not in the line asks for its turn.
    mutating func arrive(_ node: Node, _ tag: Order.Tag) -> Arrival {
        if let closedError { return .refused(closedError) }
        if mayBegin, !node.traits.contains(.exclusive) || runningCount == 0, order.admits(tag) {
            order.begin(node, tag, isKept: isOwned)
            begin(node)
            return .begins(fills: bucket?.startsFilling() ?? false)
        }
        guard order.count < maxWaitingCount else {
            return .refused(QueueError.queueFull(maxWaitingCount: maxWaitingCount))
        }
        node.standing = .waiting
        order.add(node, tag)
        return .waits
    }

    /// A node is over, or was cancelled while it waited.
    mutating func leave(_ node: Node, _ tag: Order.Tag) -> Action {
        var action = Action()
        switch node.standing {
        case .outside:
            return action
        case .waiting:
            action.released = order.remove(node, tag)
        case .held:
            detach(node, tag)
            return action
        case .running:
            if isOwned { order.forget(node, tag) }
            order.end(tag)
            runningCount -= 1
            isExclusive = false
        }
        node.standing = .outside
        proceed(&action, isLess: true)
        return action
    }

    /// Lets the next one begin if it may.
    private mutating func proceed(_ action: inout Action, isLess: Bool = false) {
        if mayBegin, let next = order.takeNext(isAlone: runningCount == 0, isKept: isOwned) {
            begin(next)
            action.jobs.append(next)
            action.goesOn = mayBegin && order.count > 0
        }
        if isAttended { attend(&action, isLess) }
    }

    private mutating func attend(_ action: inout Action, _ isLess: Bool) {
        if bucket != nil { action.fills = bucket!.startsFilling() }
        let isEmpty = isLess && isEmpty
        if isEmpty, let endingError { close(with: endingError) }
        onlookers.take(isEmpty: isEmpty, hasRoom: hasRoom, into: &action.jobs)
        isAttended = bucket != nil || endingError != nil || !onlookers.isEmpty
    }

    private var mayBegin: Bool {
        runningCount < limit && !isExclusive && !isPaused && (bucket.map { $0.tokens > 0 } ?? true)
    }

    private mutating func begin(_ node: Node) {
        runningCount += 1
        node.standing = .running
        if node.traits.contains(.exclusive) { isExclusive = true }
        bucket?.takeToken()
    }
}

extension LineState {
    /// Somebody else needs the node's turn too, until `release`.
    mutating func hold(_ node: Node) { node.standing = .held }

    /// Nobody else needs the turn of a node any more, which may be over.
    mutating func release(_ node: Node?, _ tag: Order.Tag) -> Action {
        guard let node, node.standing == .held else { return giveBack(tag) }
        node.standing = .running
        return Action()
    }

    /// The turn of a node goes on without it, until `giveBack`.
    mutating func detach(_ node: Node, _ tag: Order.Tag) {
        if isOwned { order.forget(node, tag) }
        node.standing = .outside
    }

    mutating func giveBack(_ tag: Order.Tag) -> Action {
        var action = Action()
        order.end(tag)
        runningCount -= 1
        isExclusive = false
        proceed(&action, isLess: true)
        return action
    }

    mutating func pause() { isPaused = true }

    mutating func resume() -> Action {
        isPaused = false
        return goOn()
    }

    /// What follows after an action that goes on.
    mutating func goOn() -> Action {
        var action = Action()
        proceed(&action)
        return action
    }

    /// A token has come.
    mutating func tick() -> Action {
        bucket?.addToken()
        return goOn()
    }

    /// Refuses what comes from now on.
    mutating func close(with error: any Error) {
        if closedError == nil { closedError = error }
    }

    /// Refuses what comes once nothing waits or runs.
    mutating func end(with error: any Error) {
        endingError = error
        isAttended = true
        if isEmpty { close(with: error) }
    }

    /// Gives away the handler of failed cleanups, in an object: as a closure it would be wrapped in another one on its way
    /// to `DeferredReleases`, and be released behind it.
    mutating func takeCleanupHandler() -> AnyObject? {
        guard let handler = cleanupHandler.take() else { return nil }
        return ClosureJob { handler(CancellationError()) }
    }

    /// Takes out the errors of a line that has come to its end; nil if there are none.
    mutating func takeErrors() -> [any Error]? {
        guard closedError != nil || endingError != nil else { return nil }
        defer { (closedError, endingError) = (nil, nil) }
        return [closedError, endingError].compactMap { $0 }
    }

    /// Takes out all of these tags that wait, to be failed; and what runs. Then `goOnAfterAbort` has to be called.
    mutating func abort(_ tags: [Order.Tag]) -> (waiting: [Node], running: [Node]) {
        (tags.flatMap { order.takeAll($0) }, tags.flatMap { order.running($0) })
    }

    /// `isLess`: whether anything was taken out. (What runs tells by itself when it is over.)
    mutating func goOnAfterAbort(isLess: Bool) -> Action {
        var action = Action()
        proceed(&action, isLess: isLess)
        return action
    }

    /// Some of this tag that wait, or wait for this line to be empty, at most `count`: no operation may wait for those.
    func firstWaiting(_ tag: Order.Tag, _ count: Int) -> [Node] {
        let nodes = order.firstWaiting(tag, count)
        return awaitsEmptiness ? nodes + onlookers.firstForEmptiness(count - nodes.count) : nodes
    }

    /// Whether somebody waits for this line to be empty.
    var awaitsEmptiness: Bool { onlookers.awaitEmptiness }

    /// Whether a search for operations that wait for this line to be empty is due.
    var isEmptinessSuspected: Bool { onlookers.areSuspected }

    /// Notes that such a search is due; false if one was due already.
    mutating func suspectEmptiness() -> Bool {
        defer { onlookers.areSuspected = true }
        return !onlookers.areSuspected
    }

    /// All that wait for this line to be empty, as the search that was due begins.
    mutating func takeSuspectsOfEmptiness() -> [Node] {
        onlookers.areSuspected = false
        return onlookers.firstForEmptiness(.max)
    }

    func isWaiting(_ node: Node) -> Bool { node.standing == .waiting }

    /// Whether somebody should look for a deadlock, now that `node` has a listener; who does so calls `suspects` later.
    mutating func isSuspicious(of node: Node, _ tag: Order.Tag) -> Bool {
        node.standing == .waiting && !order.setSuspicion(tag, true)
    }

    /// Notes that a search for a deadlock is due; false if one was due already.
    mutating func suspect(_ tag: Order.Tag) -> Bool { !order.setSuspicion(tag, true) }

    /// Whether a search for a deadlock is due.
    func isSuspected(_ tag: Order.Tag) -> Bool { order.isSuspicious(tag) }

    /// The nodes of which one has to be over before another one of this tag can begin; none if there are none, nil if they
    /// are more than `count`.
    mutating func suspects(_ tag: Order.Tag, atMost count: Int) -> [Node]? {
        _ = order.setSuspicion(tag, false)
        return runningCount > count && order.runningCount(tag) > count ? nil : order.blockers(tag, isFull: isFull)
    }

    /// Whether no other one of this tag may begin before the one that runs is over.
    func isOneAtATime(_ tag: Order.Tag) -> Bool { limit == 1 || isExclusive || order.isOneAtATime(tag) }

    private var isFull: Bool { runningCount >= limit || isExclusive || order.isFirstExclusive }

    /// Nobody can abort or resume this any more: what it holds for that is to be released without the lock.
    mutating func disown(_ tags: [Order.Tag]) -> ([Node], Action) {
        isOwned = false
        let running = tags.flatMap { order.running($0) }
        for tag in tags { order.forgetAll(tag) }
        return (running, resume())
    }
}

extension LineState {
    /// Whether the queue would accept an operation. Where none may wait, that is so while one could begin at once.
    private var hasRoom: Bool { order.count < maxWaitingCount || maxWaitingCount == 0 && mayBegin }

    /// A node waits until nothing waits or runs; false if that is so now, and it is to be let through.
    mutating func awaitEmptiness(_ node: Node, next: Bool) -> Bool {
        if isEmpty && !next { return false }
        onlookers.addForEmptiness(node)
        isAttended = true
        return true
    }

    /// A node waits until there is room; false if it is to be let through.
    mutating func awaitRoom(_ node: Node) -> Bool {
        isAttended = true
        return onlookers.addForRoom(node, hasRoom: hasRoom)
    }

    /// An onlooker is over, or was cancelled.
    mutating func leaveOnlookers(_ node: Node) -> Action {
        var action = Action()
        action.released = onlookers.remove(node)
        onlookers.take(isEmpty: false, hasRoom: hasRoom, into: &action.jobs)
        return action
    }
}
