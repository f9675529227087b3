// Inspected: what FuturesDiagnostics sees of a node.

/// A node, as diagnosing sees it from outside of the module. Everything is read anew, and safe while other threads run.
package struct Inspected: Sendable {
    let node: Node

    init(_ node: Node) { self.node = node.resolved }

    /// This node, even if it is a link.
    init(exactly node: Node) { self.node = node }

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
    /// Whether it needs a turn in a queue (`InspectedOperation`).
    package var isQueued: Bool { node.traits.contains(.queued) }
    package var isCombination: Bool { node.traits.contains(.combines) }
    // Not by its source, which the thread that releases the node may be taking.
    package var isStep: Bool { !hasOperation && !node.traits.isDisjoint(with: [.results, .accompanied, .listens]) }
    /// Whether an operation of its own completes it, and no promise does.
    package var hasOperation: Bool { node.traits.contains(.begins) }

    /// Whether it waits for a call of the completion closure that its operation was given: the operation has returned.
    package var awaitsCall: Bool {
        hasOperation && origin != nil && node.withLock { _ in node.progress == .begun } == true
    }

    /// Where it was made; nil if that was not passed.
    package var origin: FutureError.SourceLocation? { node.origin.fileID.isEmpty ? nil : node.origin }

    /// What it waits for; nil if it has a result. Takes the locks of the node and of its children, one at a time.
    package var dependency: Dependency? { node.dependency ?? (node.isLink ? Inspected(node.target).dependency : nil) }

    /// The future that it listens to, if it is one of the library's listeners; otherwise itself.
    package var listenedTo: Inspected {
        guard node.traits.contains(.listens), let upstream = node.withLock({ _ in node.upstream }) else { return self }
        return upstream.map { Inspected($0) } ?? self
    }

    /// Whether it completes later than its operation is called, by a timer or a task.
    package var isLater: Bool { node.traits.contains(.later) }

    /// The number of its listeners.
    package var listenerCount: Int { node.pendingListenerCount ?? 0 }
}

/// A reference to a node that does not retain it.
package final class WeakReference: Sendable {
    weak let node: Node?
    // To compare without loading the node: to release it again could be its end, under a lock that its deinit takes.
    package let id: ObjectIdentifier

    package init(_ node: Inspected) {
        self.node = node.node
        id = node.id
    }

    /// The node, or the one that it is linked to; nil if it was deallocated.
    package var inspected: Inspected? { node.map { Inspected($0) } }
    /// The node, even if it is a link.
    package var exact: Inspected? { node.map { Inspected(exactly: $0) } }
}

extension Future {
    /// This future, as diagnosing sees it.
    package var inspected: Inspected { Inspected(node) }
}
