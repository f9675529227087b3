// Recording lines: which queue an operation is in, and which queues are too deep, while `Recording` is on.

internal import Synchronization

/// How many operations may wait in a queue before that is an event; `Int.max` for no limit.
package enum DepthLimit {
    private static let limit = Atomic<Int>(.max)

    /// The queues in which more operations wait.
    private static let deep = Locked<[DeepLine]>([])

    package static func set(_ count: Int) { limit.store(count, ordering: .relaxed) }

    fileprivate static var count: Int { limit.load(ordering: .relaxed) }

    /// Notes that a line is too deep. Returns false if that is known.
    fileprivate static func note(_ line: Line) -> Bool {
        let id = ObjectIdentifier(line)
        return deep.withLock { lines in
            guard !lines.contains(where: { $0.id == id }) else { return false }
            lines.append(DeepLine(line))
            return true
        }
    }

    /// Forgets the queues that were released, and those with at most half as many operations that wait as the limit:
    /// the next time that one of them is too deep is an event again.
    package static func refresh() {
        let (known, half) = (deep.withLock { $0 }, count / 2)
        guard !known.isEmpty else { return }
        // Lines are loaded without the lock: it may be their last reference.
        let over = known.filter { ($0.line?.state.withLock { $0.waitingCount } ?? 0) <= half }
        deep.withLock { lines in lines.removeAll { line in over.contains { $0 === line } } }
    }
}

/// A line that is too deep. It is not retained.
private final class DeepLine: Sendable {
    weak let line: Line?
    let id: ObjectIdentifier

    init(_ line: Line) {
        self.line = line
        id = ObjectIdentifier(line)
    }
}

extension LineName {
    /// The name as a label of measurements.
    var recorded: RecordedQueue { RecordedQueue(kind: kind, label: label ?? "\(origin)") }
}

extension Line {
    /// Prepares a node that is about to be enqueued.
    @inline(never)
    func prepare(_ node: LineNode) {
        node.prepareToStart()
        if Recording.isOn, node.kind == .operation { node.recordQueue(name.recorded) }
    }

    /// Reports this line if too many operations wait in it, now that `node` does.
    @inline(never)
    func recordDepth(behind node: LineNode) {
        let count = state.withLock { $0.waitingCount }
        guard count > DepthLimit.count, DepthLimit.note(self) else { return }
        RecordedEvent.deepQueue(name: name.long, count: count, origin: node.origin).tell()
    }
}
