// RecordedTurn: the operations of queues, locks and pools that have their turn.

import Futures

/// An operation that has its turn. It does not retain the node.
struct RecordedTurn: Sendable {
    let started: ContinuousClock.Instant
    let queue: RecordedQueue
    private let node: WeakReference

    /// Another value with the same identity and start is the same turn.
    var id: ObjectIdentifier { ObjectIdentifier(node) }

    /// The operation; nil if that was deallocated.
    var operation: Node? { node.node?.resolved }

    /// All whose turn started before this instant and has not ended, in no order.
    ///
    /// - Complexity: O(*n*) in the number of futures that are recorded.
    static func all(startedBefore instant: ContinuousClock.Instant) -> [RecordedTurn] {
        Records.all.compactMap { record in
            guard let started = record.started, started < instant, record.ended == nil, let queue = record.queue else {
                return nil
            }
            return RecordedTurn(started: started, queue: queue, node: record.node)
        }
    }
}
