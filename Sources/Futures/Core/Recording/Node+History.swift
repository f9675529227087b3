// Histories: how many steps led to a node, and are retained with it for a repetition.

internal import Synchronization

/// How long a history may be before that is an event; `Int.max` for no limit.
package enum HistoryLimit {
    private static let limit = Atomic<Int>(.max)

    package static func set(_ count: Int) { limit.store(count, ordering: .relaxed) }

    fileprivate static var count: Int { limit.load(ordering: .relaxed) }
}

extension Node {
    /// Notes that `node` retains `source`, and all that led to that: counted while nodes are attached, as nothing may
    /// walk from a node to its sources that does not own it.
    func recordHistory(of node: Node, after source: Node) {
        guard let before = Records.read(source, { $0.historyCount }) else { return }
        let long = Records.change(node) { record -> (stack: [UInt], name: String?)? in
            guard record.historyCount <= before else { return nil }
            record.historyCount = before + 1
            // One that was longer before was reported when it came to the limit.
            return before == HistoryLimit.count ? (record.stack, record.name) : nil
        }
        // Of steps with the same source, one is reported.
        guard let long, Records.change(source, { $0.noteLongHistory() }) == true else { return }
        RecordedEvent.longHistory(
            count: before + 1, stack: long.stack, name: long.name, origin: node.nearestOrigin, madeBy: node.madeBy
        ).tell()
    }
}

extension Record {
    /// Returns false if it was noted before.
    fileprivate func noteLongHistory() -> Bool {
        defer { hasLongHistory = true }
        return !hasLongHistory
    }
}
