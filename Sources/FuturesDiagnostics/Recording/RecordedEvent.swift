// RecordedEvent: what happens to futures that their code may not have meant.

import Futures

/// Something that happens to a future, of which code that diagnoses is told.
enum RecordedEvent: Sendable {
    /// A future with this error was released, and nothing had listened to it or read its result.
    case unobservedFailure(any Error, Subject)
    /// A promise or a completion was released without being called.
    case abandoned(origin: FutureError.SourceLocation)
    /// More operations wait in a queue than the limit, since the one that was enqueued at this place.
    case deepQueue(name: String, count: Int, origin: FutureError.SourceLocation)
    /// A step was attached after as many others as the limit, which it retains.
    case longHistory(count: Int, Subject)

    /// What is known of a future that may be gone when the event is described.
    struct Subject: Sendable {
        let stack: [UInt]
        let name: String?
        let origin: FutureError.SourceLocation?
        let madeBy: UInt

        init(_ node: Node, _ record: Record) {
            stack = record.stack
            name = record.name
            // Its own, or that of the nearest node upstream that has one.
            let chain = sequence(first: node) { $0.source?.takeUnretainedValue() }
            origin = chain.prefix(64).lazy.compactMap(\.knownOrigin).first
            madeBy = node.madeBy
        }
    }

    /// A struct, because of what `Locked` does to closures.
    private struct Handler {
        var call: (@Sendable (RecordedEvent) -> Void)?
    }

    private static let handler = Locked(Handler())

    /// What is told of events while `Recording` is on. It is called where they happen, so it must not block.
    static func setHandler(_ body: (@Sendable (RecordedEvent) -> Void)?) {
        let old = handler.withLock { handler in
            defer { handler.call = body }
            return handler
        }
        withExtendedLifetime(old) {}
    }

    /// Reports the failures that nothing has observed of nodes that still exist: the process ends.
    static func tellUnobservedFailures() {
        for node in Records.nodes.compactMap(\.node) {
            guard let record = node.record, let error = node.unobservedFailure else { continue }
            // Once: not when the node is deallocated, too.
            node.marks.insert(Marks.observed)
            RecordedEvent.unobservedFailure(error, Subject(node, record)).tell()
        }
    }

    func tell() {
        Self.handler.withLock { $0 }.call?(self)
    }
}
