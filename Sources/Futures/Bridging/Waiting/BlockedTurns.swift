// BlockedTurns: the operations of queues that cannot end while this thread blocks.

/// The operations of queues that have their turn, and cannot end before the jobs that the calling thread is running: in
/// the closure of an operation, or of a future or a step that the operation waits for, or in what its cancel disposes.
struct BlockedTurns {
    /// By the lines to which they belong.
    private var operations: [ObjectIdentifier: [LineNode]] = [:]
    /// The lanes or, without lanes, the lines of which it is known whether they are full. Many nodes may wait for the
    /// same one.
    private var full = Set<ObjectIdentifier>()
    private var notFull = Set<ObjectIdentifier>()

    init() {
        var found = Set<ObjectIdentifier>()
        QueuedNode.forEachBlocked(unless: \.isTimed) { node in
            guard let node = node as? LineNode, node.kind == .operation, found.insert(ObjectIdentifier(node)).inserted
            else { return }
            operations[ObjectIdentifier(node.line), default: []].append(node)
        }
    }

    /// All of these operations.
    var all: [Node] { operations.values.flatMap { $0 } }

    /// Returns an operation that cannot end before `node`, which waits for its turn behind it, or for the line to be
    /// empty. Returns nil if others can let that start, or if its time is limited.
    mutating func operation(ahead node: Node) -> LineNode? {
        guard !operations.isEmpty, let node = node.queued as? LineNode, node.timeLimits?.maxWaiting == nil,
            let own = operations[ObjectIdentifier(node.line)]
        else { return nil }
        let isAhead: Bool
        switch node.kind {
        case .operation:
            let id = node.lane.map(ObjectIdentifier.init) ?? ObjectIdentifier(node.line)
            if full.contains(id) || notFull.contains(id) {
                isAhead = full.contains(id)
            } else {
                isAhead = node.line.state.withLock { $0.isFull(node.lane, with: own) }
                if isAhead { full.insert(id) } else { notFull.insert(id) }
            }
        case .emptiness:
            isAhead = node.line.state.withLock { _ in own.contains(where: \.hasTurn) }
        case .capacity:
            return nil
        }
        return isAhead && node.line.state.withLock { $0.isWaiting(node) } ? own[0] : nil
    }
}
