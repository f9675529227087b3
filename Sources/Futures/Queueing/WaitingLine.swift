// WaitingLine: who waits in a queue, and who may begin.

/// The waiting operations of a queue, and how many of them run.
@usableFromInline
final class WaitingLine: Sendable {
    private let state: Locked<LineState>

    init(maxConcurrentCount: Int) {
        state = Locked(LineState(limit: maxConcurrentCount))
    }

    var isEmpty: Bool { state.withLock { $0.isEmpty } }

    /// Makes the node of an operation and lets it begin, or wait.
    @inlinable
    func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Node {
        // One closure for the operation and its recipe: they share their captures.
        let closure = Closure.turns { turn in
            switch turn {
            case .begin: try operation().node
            case .again: self.enqueue(on: scheduler, operation)
            }
        }
        let node = Node(source: nil, on: scheduler, [.combines, .sequel], closure) { node, _ in
            if let inner = node.inner { return node.finish(as: inner, T.self) }
            // Not `Self`: in a class that is captured, by an allocation.
            WaitingLine.begin(node)
        }
        queue(node)
        return node
    }

    /// Runs a queued operation, whose turn has come.
    @usableFromInline
    static func begin(_ node: Node) {
        // The node does not have its ticket meanwhile: else a cancel on another thread would let the next operation
        // begin while this one's closure still has the resource.
        guard let ticket = node.beginTakingLocal() else { return }
        do {
            node.wait(for: try node.closure.turns(.begin), keeping: ticket)
        } catch {
            node.finish(error: error)
            ThreadState.here.serveNext(JobList(unsafeDowncast(ticket, to: Job.self)))
        }
    }

    @usableFromInline
    func queue(_ node: Node) {
        let ticket = Ticket(node, in: self)
        node.keepLocal(ticket)
        if state.withLock({ $0.arrive(ticket) }) == .begin { ThreadState.here.serve(node) }
    }

    fileprivate func leave(_ ticket: Ticket) {
        let node = state.withLock { $0.leave(ticket) }
        withExtendedLifetime(node) {}
    }

    /// Lets the next ones begin, now that those who waited for the one before have heard.
    fileprivate func handOver(from ticket: Ticket) {
        if let next = state.withLock({ $0.finish(ticket) }) { ThreadState.here.serve(next) }
    }
}

/// A pure state machine: what a queue does next. It calls nothing.
private struct LineState {
    enum Action { case begin, wait }

    let limit: Int
    private var running = 0
    private var first: Ticket?
    private unowned(unsafe) var last: Ticket?

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { running == 0 && first == nil }

    mutating func arrive(_ ticket: Ticket) -> Action {
        guard running >= limit else {
            running += 1
            ticket.stage = .running
            ticket.node = nil
            return .begin
        }
        ticket.ahead = last
        if let last { last.behind = ticket } else { first = ticket }
        last = ticket
        return .wait
    }

    /// A ticket is over. One that waits gives up its place; one that runs keeps it until `finish`.
    mutating func leave(_ ticket: Ticket) -> Node? {
        guard ticket.stage == .waiting else { return nil }
        ticket.stage = .gone
        unlink(ticket)
        return ticket.node.take()
    }

    /// Those who waited for the ticket have heard: the node that is returned may begin.
    mutating func finish(_ ticket: Ticket) -> Node? {
        guard ticket.stage == .running else { return nil }
        ticket.stage = .gone
        guard let next = first else {
            running -= 1
            return nil
        }
        next.stage = .running
        unlink(next)
        return next.node.take()
    }

    private mutating func unlink(_ ticket: Ticket) {
        let behind = ticket.behind.take()
        behind?.ahead = ticket.ahead
        if behind == nil { last = ticket.ahead }
        if let ahead = ticket.ahead { ahead.behind = behind } else { first = behind }
        ticket.ahead = nil
    }
}

/// An operation's place in the line; and the job that gives it up, once the operation's listeners were served.
// Safe to share: all but `line` is touched under the line's lock only.
private final class Ticket: Job, Disposable, @unchecked Sendable {
    enum Stage {
        /// Next is running or gone.
        case waiting
        /// Next is gone.
        case running
        /// The end.
        case gone
    }

    /// The node, while it waits: it keeps its ticket until it settles, and the ticket must not keep it in turn.
    @exclusivity(unchecked) var node: Node?
    @exclusivity(unchecked) var stage = Stage.waiting
    @exclusivity(unchecked) var behind: Ticket?
    unowned(unsafe) var ahead: Ticket?
    private let line: WaitingLine

    init(_ node: Node, in line: WaitingLine) {
        self.node = node
        self.line = line
        super.init()
    }

    func dispose() { line.leave(self) }

    override func run() { line.handOver(from: self) }
}
