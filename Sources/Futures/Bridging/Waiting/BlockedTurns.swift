// BlockedTurns: the operations of queues that cannot end while this thread blocks.

/// The operations of queues that have their turn, and cannot end before the jobs that the calling thread is running: in
/// the closure of an operation, or of a future or a step that the operation waits for.
struct BlockedTurns {
    private var operations: [LineNode] = []

    init() {
        var known = Set<ObjectIdentifier>()
        QueuedNode.forEachBlocked { node, isLasting in
            // The end of its time cancels an operation.
            guard let node = node as? LineNode, node.kind == .operation, isLasting || !node.isTimed,
                known.insert(ObjectIdentifier(node)).inserted
            else { return }
            operations.append(node)
        }
    }

    /// Returns an operation that cannot end before `node`, which waits for its turn behind it, or for the line to be
    /// empty. Returns nil if others can let that start, or if its time is limited.
    func operation(ahead node: Node) -> LineNode? {
        guard !operations.isEmpty, let node = node.queued as? LineNode, node.timeLimits?.maxWaiting == nil else {
            return nil
        }
        return node.line.operation(ahead: node, among: operations)
    }
}

extension Line {
    /// The first of `operations` if `node` cannot start, or this line cannot become empty, as long as they do not end.
    fileprivate func operation(ahead node: LineNode, among operations: [LineNode]) -> LineNode? {
        let own = operations.filter { $0.line === self }
        guard let first = own.first else { return nil }
        let isBlocked = state.withLock {
            guard $0.isWaiting(node) else { return false }
            return switch node.kind {
            case .operation: $0.isFull(node.lane, with: own)
            case .emptiness, .nextEmptiness: own.contains(where: \.hasTurn)
            case .capacity: false
            }
        }
        return isBlocked ? first : nil
    }
}
