// Record: where and when a future was made, and what it is called.

/// What is known of a node while something is recorded of it.
// Safe to share: the lock of the table guards what changes (`Records`). Tested by `RecordsStressTests`, under the
// thread sanitizer.
final class Record: KeyEntry, @unchecked Sendable {
    /// The node, by reference and by address. A record does not keep it.
    private(set) weak var node: Node?
    /// The return addresses of the functions that have made the node, the innermost first; none if that was not
    /// recorded.
    let stack: [UInt]
    let created = ContinuousClock.now
    /// When the operation of a queue got its turn, and when its turn ended.
    @exclusivity(unchecked) var started: ContinuousClock.Instant?
    @exclusivity(unchecked) var ended: ContinuousClock.Instant?
    /// The queue, lock or pool of an operation.
    @exclusivity(unchecked) var queue: RecordedQueue?
    /// How many steps and combinations led to this one, and are retained for a repetition.
    @exclusivity(unchecked) var historyCount = 0
    /// Whether a step after this one was reported because of its history.
    @exclusivity(unchecked) var hasLongHistory = false
    /// The name that the user's code gave the node.
    @exclusivity(unchecked) var name: String?
    /// The futures that tasks and threads of the operation await.
    @exclusivity(unchecked) var awaited: [Awaited] = []

    init(of node: Node, _ stack: [UInt]) {
        self.node = node
        self.stack = stack
        super.init(hash: Record.hash(of: node))
    }

    /// The node's address.
    static func hash(of node: Node) -> Int { Int(bitPattern: Unmanaged.passUnretained(node).toOpaque()) }
}

/// A future that a task or thread of an operation awaits.
struct Awaited: Sendable {
    let reference: WeakReference
    /// Whether a child task of the operation's task awaits it: the operation may end without it.
    let isByChild: Bool
}

/// The kind of a queue, lock or pool, and its label or else the place where it was made.
package struct RecordedQueue: Sendable {
    package let kind: StaticString
    package let label: String

    package init(kind: StaticString, label: String) {
        self.kind = kind
        self.label = label
    }
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
