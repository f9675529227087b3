// Record: where and when a future was made, and what it is called.

import Futures

/// What is known of a node while something is recorded of it.
struct Record: Sendable {
    /// The node, which a record does not retain.
    let node: WeakReference
    /// The return addresses of the functions that have made the node, the innermost first; none if that was not
    /// recorded.
    let stack: [UInt]
    let created = ContinuousClock.now
    /// When the operation of a queue got its turn, and when its turn ended.
    var started: ContinuousClock.Instant?
    var ended: ContinuousClock.Instant?
    /// The queue, lock or pool of an operation.
    var queue: RecordedQueue?
    /// How many steps and combinations led to this one, and are retained for a repetition.
    var historyCount = 0
    /// Whether a step after this one was reported because of its history.
    var hasLongHistory = false
    /// The name that the user's code gave the node.
    var name: String?
    /// The futures that tasks and threads of the operation await.
    private(set) var awaited: [Awaited] = []

    init(of node: Node, _ stack: [UInt]) {
        self.node = WeakReference(node)
        self.stack = stack
    }

    mutating func await(_ other: Node, isByChild: Bool) {
        awaited.append(Awaited(reference: WeakReference(other), isByChild: isByChild))
    }

    mutating func awaitNoMore(_ other: ObjectIdentifier) {
        if let index = awaited.firstIndex(where: { $0.reference.id == other }) { awaited.remove(at: index) }
    }

    /// Whether child tasks of the operation's task wait for some of what is awaited.
    var awaitsInChildren: Bool { awaited.contains(where: \.isByChild) }
}

/// A future that a task or thread of an operation awaits.
struct Awaited: Sendable {
    let reference: WeakReference
    /// Whether a child task of the operation's task awaits it: the operation may end without it.
    let isByChild: Bool
}

/// The kind of a queue, lock or pool, and its label or else the place where it was made.
struct RecordedQueue: Sendable {
    let kind: StaticString
    let label: String
}

extension RecordedQueue {
    init(_ line: Line) { self.init(kind: line.name.kind, label: line.name.label ?? "\(line.name.origin)") }
}

/// A reference to a node that does not retain it.
final class WeakReference: Sendable {
    weak let node: Node?
    // To compare without loading the node: to release it again could be its end, under a lock that its deinit takes.
    let id: ObjectIdentifier

    init(_ node: Node) {
        self.node = node
        id = ObjectIdentifier(node)
    }
}
