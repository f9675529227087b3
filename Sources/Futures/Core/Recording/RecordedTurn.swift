// RecordedTurn: the operations of queues, locks and pools that have their turn, for diagnosing.

/// An operation that has its turn. It does not retain the node.
package struct RecordedTurn: Sendable {
    package let started: ContinuousClock.Instant
    package let queue: RecordedQueue
    private let record: Record

    /// Another value with the same identity and start is the same turn.
    package var id: ObjectIdentifier { ObjectIdentifier(record) }

    /// The operation; nil if that was deallocated.
    package var operation: Inspected? { record.node.map { Inspected($0) } }

    /// All whose turn started before this instant and has not ended, in no order.
    ///
    /// - Complexity: O(*n*) in the number of futures that are recorded.
    package static func all(startedBefore instant: ContinuousClock.Instant) -> [RecordedTurn] {
        Records.compactMap { record in
            guard let started = record.started, started < instant, record.ended == nil, let queue = record.queue else {
                return nil
            }
            return RecordedTurn(started: started, queue: queue, record: record)
        }
    }
}
