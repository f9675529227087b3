// DepthLimit: which queues are too deep, while recording is on.

import Futures
import Synchronization

/// How many operations may wait in a queue before that is an event; `Int.max` for no limit.
enum DepthLimit {
    private static let limit = Atomic<Int>(.max)

    /// The queues in which more operations wait.
    private static let deep = Locked<[DeepLine]>([])

    static func set(_ count: Int) { limit.store(count, ordering: .relaxed) }

    /// Reports a line if too many operations wait in it, now that the one does that was enqueued at `origin`.
    static func check(_ line: Line, _ origin: FutureError.SourceLocation) {
        let count = line.waitingCount
        guard count > limit.load(ordering: .relaxed), note(line) else { return }
        RecordedEvent.deepQueue(name: line.name.long, count: count, origin: origin).tell()
    }

    /// Notes that a line is too deep. Returns false if that is known.
    private static func note(_ line: Line) -> Bool {
        let id = ObjectIdentifier(line)
        return deep.withLock { lines in
            guard !lines.contains(where: { $0.id == id }) else { return false }
            lines.append(DeepLine(line))
            return true
        }
    }

    /// Forgets the queues that were released, and those with at most half as many operations that wait as the limit:
    /// the next time that one of them is too deep is an event again.
    static func refresh() {
        let (known, half) = (deep.withLock { $0 }, limit.load(ordering: .relaxed) / 2)
        guard !known.isEmpty else { return }
        // Lines are loaded without the lock: it may be their last reference.
        let over = known.filter { ($0.line?.waitingCount ?? 0) <= half }
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

extension Line {
    fileprivate var waitingCount: Int { state.withLock { $0.waitingCount } }
}
