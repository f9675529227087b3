// HistoryLimit: how many steps led to a node, and are retained with it for a repetition.

import Futures
import Synchronization

/// How long a history may be before that is an event; `Int.max` for no limit.
enum HistoryLimit {
    private static let limit = Atomic<Int>(.max)

    static func set(_ count: Int) { limit.store(count, ordering: .relaxed) }

    /// Notes that `node` retains `source`, and all that led to that: counted while nodes are attached, as nothing may
    /// walk from a node to its sources that does not own it.
    static func count(_ node: Node, after source: Node) {
        guard let before = Records.read(source, \.historyCount) else { return }
        let limit = limit.load(ordering: .relaxed)
        let long = Records.change(node) { record -> Record? in
            guard record.historyCount <= before else { return nil }
            record.historyCount = before + 1
            // One that was longer before was reported when it came to the limit.
            return before == limit ? record : nil
        }
        guard let long else { return }
        // Of steps with the same source, one is reported.
        let isNew = Records.change(source) { record in
            defer { record.hasLongHistory = true }
            return !record.hasLongHistory
        }
        if isNew { RecordedEvent.longHistory(count: before + 1, .init(node, long)).tell() }
    }
}
