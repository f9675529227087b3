// Inspected: what FuturesDiagnostics sees of a node.

/// A node, as diagnosing sees it from outside of the module. Everything is read anew, and safe while other threads run.
package struct Inspected: Sendable {
    let node: Node

    init(_ node: Node) { self.node = node.resolved }

    /// The node whose job this is; nil if it is another one's.
    package init?(of job: Job) {
        guard let node = job as? Node else { return nil }
        self.init(node)
    }

    /// The identity of the node, as long as this value exists.
    package var id: ObjectIdentifier { ObjectIdentifier(node) }

    package var isPending: Bool { !node.hasSettled }

    // Not an enum: its conformances to `Hashable` would be part of every program.
    package var isNever: Bool { node.traits.contains(.never) }
    /// Whether it needs a turn in a queue: see `operation`.
    package var isQueued: Bool { node.traits.contains(.queued) }
    package var isCombination: Bool { node.traits.contains(.combines) }
    // Not by its source, which the thread that releases the node may be taking.
    package var isStep: Bool { !hasOperation && !node.traits.isDisjoint(with: [.results, .timed, .listens]) }
    /// Whether an operation of its own completes it, and no promise does.
    package var hasOperation: Bool { node.traits.contains(.begins) }

    /// Whether it waits for a call of the completion closure that its operation was given: the operation has returned.
    package var awaitsCall: Bool { hasOperation && origin != nil && node.hasReturned }

    /// Where it was made; nil if that was not passed.
    package var origin: FutureError.SourceLocation? { node.origin.fileID.isEmpty ? nil : node.origin }

    /// The number of its listeners.
    package var listenerCount: Int { node.pendingListenerCount ?? 0 }

    /// An address in the operator that has made it.
    package var madeBy: UInt { node.madeBy }

    /// What was recorded of it: all of it at one moment.
    package var record: RecordedFacts? {
        // The references are in an array of their own, as the record's may change while they are loaded without the
        // lock.
        let (facts, awaited) = Records.read(node) { (RecordedFacts($0), $0.awaited.map(\.reference)) } ?? (nil, [])
        return facts.map { $0.awaiting(awaited.compactMap { $0.node.map { Inspected($0) } }) }
    }
}

extension Node {
    /// Whether its operation has returned, and the node is still pending.
    fileprivate var hasReturned: Bool {
        guard let listeners = lock() else { return false }
        defer { unlock(listeners) }
        return if case .begun = progress { true } else { false }
    }
}

/// What was recorded of a node.
package struct RecordedFacts: Sendable {
    /// The return addresses of the functions that have made the node, the innermost first; none if that was not
    /// recorded.
    package let stack: [UInt]
    package let created: ContinuousClock.Instant
    /// When the operation of a queue got its turn.
    package let started: ContinuousClock.Instant?
    package let name: String?
    /// What tasks and threads of the operation wait for.
    package private(set) var awaited: [Inspected] = []
    /// Whether child tasks of its task wait for some of it.
    package let awaitsInChildren: Bool

    init(_ record: Record) {
        stack = record.stack
        created = record.created
        started = record.started
        name = record.name
        awaitsInChildren = record.awaited.contains(where: \.isByChild)
    }

    fileprivate func awaiting(_ awaited: [Inspected]) -> RecordedFacts {
        var facts = self
        facts.awaited = awaited
        return facts
    }
}

extension Inspected {
    /// The nodes that are recorded, in no order.
    package static var allRecorded: [Inspected] { Records.nodes.map { Inspected($0) } }
}

extension Future {
    /// This future, as diagnosing sees it.
    package var inspected: Inspected { Inspected(node) }
}
