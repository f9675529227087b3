// WaitingLine: who waits in a queue, and who may begin.

/// The waiting operations of a queue, and how many of them run.
final class WaitingLine: Sendable {
    private let state: Locked<LineState>

    init(maxConcurrentCount: Int) {
        state = Locked(LineState(limit: maxConcurrentCount))
    }

    var isEmpty: Bool { state.withLock { $0.isEmpty } }

    /// Makes the node of an operation and lets it begin, or wait.
    func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Node {
        let remake: @Sendable (Node) -> Node = { _ in self.enqueue(on: scheduler, operation) }
        let node = Node(source: nil, on: scheduler, [.combines, .sequel], Closure(remake)) { node, _ in
            if let inner = node.inner { return node.finish(as: inner, T.self) }
            node.follow { try operation().node }
        }
        let ticket = Ticket(node, in: self)
        node.local = ticket
        if state.withLock({ $0.arrive(ticket) }) == .begin { ThreadState.here.serve(node) }
        return node
    }

    fileprivate func leave(_ ticket: Ticket) {
        state.withLock { $0.leave(ticket) }
    }

    /// Lets the next ones begin, now that those who waited for the one before have heard.
    fileprivate func handOver(from ticket: Ticket) {
        guard let next = state.withLock({ $0.finish(ticket) }) else { return }
        next.begin()
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
            return .begin
        }
        ticket.previous = last
        if let last { last.next = ticket } else { first = ticket }
        last = ticket
        return .wait
    }

    /// A ticket is over. One that waits gives up its place; one that runs keeps it until `finish`.
    mutating func leave(_ ticket: Ticket) {
        guard ticket.stage == .waiting else { return }
        ticket.stage = .gone
        unlink(ticket)
    }

    /// Those who waited for the ticket have heard: the next one may begin.
    mutating func finish(_ ticket: Ticket) -> Ticket? {
        guard ticket.stage == .running else { return nil }
        ticket.stage = .gone
        guard let next = first else {
            running -= 1
            return nil
        }
        next.stage = .running
        unlink(next)
        return next
    }

    private mutating func unlink(_ ticket: Ticket) {
        let next = ticket.next.take()
        next?.previous = ticket.previous
        if next == nil { last = ticket.previous }
        if let previous = ticket.previous { previous.next = next } else { first = next }
        ticket.previous = nil
    }
}

/// An operation's place in the line.
// Safe to share: all but `node` is touched under the line's lock only; `node` is taken once, under it too.
private final class Ticket: Sequel, @unchecked Sendable {
    enum Stage {
        /// Next is running or gone.
        case waiting
        /// Next is gone.
        case running
        /// The end.
        case gone
    }

    // The node keeps its ticket until it settles, and so does the line: the ticket must not keep the node then.
    private let node: Locked<Node?>
    private let line: WaitingLine
    var stage = Stage.waiting
    var next: Ticket?
    unowned(unsafe) var previous: Ticket?

    init(_ node: Node, in line: WaitingLine) {
        self.node = Locked(node)
        self.line = line
    }

    func begin() {
        guard let node = node.withLock({ $0.take() }) else { return }
        ThreadState.here.serve(node)
    }

    func dispose() {
        _ = node.withLock { $0.take() }
        line.leave(self)
    }

    var sequel: Job { ClosureJob { self.line.handOver(from: self) } }
}
