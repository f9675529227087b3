// WaitingLine: who waits in a queue, and who may begin.

/// The waiting operations of a queue, and how many of them run.
@usableFromInline
final class WaitingLine: Sendable {
    private let state: Locked<LineState>

    init(maxConcurrentCount: Int) {
        state = Locked(LineState(limit: maxConcurrentCount))
    }

    var isEmpty: Bool { state.withLock { $0.isEmpty } }

    @usableFromInline
    func enqueue(_ node: Node) {
        if state.withLock({ $0.arrive(node) }) == .begin { ThreadState.here.serve(node) }
    }

    @usableFromInline
    func hear(_ call: Call, of node: Node) {
        if call == .enqueued { return enqueue(node) }
        switch state.withLock({ $0.leave(node) }) {
        case .begin(let next): ThreadState.here.serveNext(next)
        case .release: Unmanaged.passUnretained(node).release()
        case .nothing: return
        }
    }
}

/// A pure state machine: what a queue does next. It calls nothing.
private struct LineState {
    enum Arrival { case begin, wait }

    enum Leave {
        case begin(JobList)
        case release
        case nothing
    }

    let limit: Int
    private var running = 0
    private var waiting = Listeners(last: Word.pending)

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { running == 0 && waiting.last == Word.pending }

    mutating func arrive(_ node: Node) -> Arrival {
        guard running >= limit else {
            running += 1
            node.standing = .running
            return .begin
        }
        node.standing = .waiting
        waiting.add(node, retained: true)
        return .wait
    }

    mutating func leave(_ node: Node) -> Leave {
        switch node.standing {
        case .outside:
            return .nothing
        case .waiting:
            node.standing = .outside
            waiting.remove(node)
            return .release
        case .running:
            node.standing = .outside
            guard let next = waiting.takeFirst() else {
                running -= 1
                return .nothing
            }
            next._withUnsafeGuaranteedRef { $0.standing = .running }
            return .begin(JobList(first: next.job, last: next.job))
        }
    }
}
