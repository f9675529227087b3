// ActivityRecord: what is in progress and is no future, for diagnosing: permits that are held, and calls of wait.

internal import Synchronization

/// Something in progress that is no future: listed from its start until `end`, while `Recording` is on.
package class ActivityRecord: KeyEntry, @unchecked Sendable {
    /// Where it started, and when.
    package final let site: FutureError.SourceLocation
    package final let started = ContinuousClock.now

    private static let known = Locked(KeyTable())
    /// The number of those that have started, by which they are found.
    private static let count = Atomic<Int>(0)

    /// All that are in progress, in no order.
    package static var listed: [ActivityRecord] {
        known.withLock { $0.all }.map { unsafeDowncast($0, to: ActivityRecord.self) }
    }

    init(at site: FutureError.SourceLocation) {
        self.site = site
        super.init(hash: Self.count.add(1, ordering: .relaxed).newValue)
    }

    final func list() { Self.known.withLock { $0.insert(self) } }

    /// Notes that it has ended.
    final func end() {
        // The last reference is the caller's, so that none is released under the lock.
        _ = Self.known.withLock { $0.remove(self) }
    }
}

/// A call of `wait` in progress.
// Safe to share: nothing in it changes.
package final class ThreadWait: ActivityRecord, @unchecked Sendable {
    private let reference: WeakReference
    /// The operations of queues in whose closures the call is, which cannot end before it returns.
    private let operations: [WeakReference]

    /// The future that is waited for; nil if the call has returned.
    package var future: Inspected? { reference.node.map { Inspected($0) } }

    /// Notes a call; nil if nothing is recorded.
    static func start(_ node: Node, at site: FutureError.SourceLocation, in operations: () -> [Node]) -> ThreadWait? {
        guard Recording.isOn else { return nil }
        let wait = ThreadWait(node, site, operations())
        wait.list()
        return wait
    }

    private init(_ node: Node, _ site: FutureError.SourceLocation, _ operations: [Node]) {
        reference = WeakReference(node)
        self.operations = operations.map { WeakReference($0) }
        super.init(at: site)
        for operation in operations { operation.recordAwaiting(node) }
    }

    /// Notes that the call returns, which has waited for `node`.
    func end(_ node: Node) {
        end()
        for operation in operations { operation.node?.recordAwaitingEnded(node) }
    }
}
