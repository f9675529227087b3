// ActivityRecord: what is in progress and is no future: permits that are held, and calls of wait.

import Futures

/// Something in progress that is no future: listed from its start until it is disposed, while `Recording` is on.
// Safe to share: nothing in it changes, nor in its subclasses.
class ActivityRecord: Disposable, @unchecked Sendable {
    /// Where it started, and when.
    final let site: FutureError.SourceLocation
    final let started = ContinuousClock.now

    private static let known = Locked<[ObjectIdentifier: ActivityRecord]>([:])

    /// All that are in progress, the oldest first.
    static var all: [ActivityRecord] { known.withLock { Array($0.values) }.sorted { $0.started < $1.started } }

    init(at site: FutureError.SourceLocation) {
        self.site = site
    }

    final func list() { Self.known.withLock { $0[ObjectIdentifier(self)] = self } }

    /// Notes that it has ended.
    func dispose() {
        // The last reference is the caller's, so that none is released under the lock.
        _ = Self.known.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
    }
}

/// A permit that was granted and has not been released.
final class PermitRecord: ActivityRecord, @unchecked Sendable {
    /// The identity of the permit's queue, and its name.
    let queue: ObjectIdentifier
    let queueName: String
    let recordedQueue: RecordedQueue

    init(of node: Node) {
        let line = (node as! LineNode).line
        queue = ObjectIdentifier(line)
        queueName = line.name.long
        recordedQueue = RecordedQueue(line)
        super.init(at: node.origin)
        list()
    }

    override func dispose() {
        super.dispose()
        if let sample = QueueSample(recordedQueue, ran: started.duration(to: .now)) { Measurements.add(sample) }
    }
}

/// A call of `wait` in progress.
final class ThreadWait: ActivityRecord, @unchecked Sendable {
    /// That of the operations in whose closures the call is, which cannot end before it returns.
    private let wait: OperationWait

    /// The future that is waited for; nil if the call has returned.
    var future: Node? { wait.awaited.node?.resolved }

    init(for node: Node, at site: FutureError.SourceLocation) {
        wait = OperationWait(of: ThreadState.here.runningNodes, for: node, isByChild: false)
        super.init(at: site)
        list()
    }

    override func dispose() {
        super.dispose()
        wait.dispose()
    }
}

/// What the records of operations of queues have, until it is disposed: that they wait for a node.
final class OperationWait: Disposable {
    let awaited: WeakReference
    private let operations: [WeakReference]

    init(of operations: [Node], for node: Node, isByChild: Bool) {
        awaited = WeakReference(node)
        self.operations = operations.map { WeakReference($0) }
        for operation in operations { Records.change(operation) { $0.await(node, isByChild: isByChild) } }
    }

    func dispose() {
        for case let operation? in operations.map(\.node) { Records.change(operation) { $0.awaitNoMore(awaited.id) } }
    }
}
