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

    init(of line: any RecordedLine, at site: FutureError.SourceLocation) {
        queue = ObjectIdentifier(line)
        queueName = line.longName
        recordedQueue = RecordedQueue(line)
        super.init(at: site)
        list()
    }

    override func dispose() {
        super.dispose()
        if let sample = QueueSample(recordedQueue, ran: started.duration(to: .now)) { Measurements.add(sample) }
    }
}

/// A call of `wait` in progress.
final class ThreadWait: ActivityRecord, @unchecked Sendable {
    private let reference: WeakReference
    /// The operations of queues in whose closures the call is, which cannot end before it returns.
    private let operations: [WeakReference]

    /// The future that is waited for; nil if the call has returned.
    var future: Inspected? { reference.inspected }

    init(for node: Inspected, at site: FutureError.SourceLocation, in operations: [Inspected]) {
        reference = WeakReference(node)
        self.operations = operations.map { WeakReference($0) }
        super.init(at: site)
        for operation in operations { Records.change(operation) { $0.await(node, isByChild: false) } }
        list()
    }

    override func dispose() {
        super.dispose()
        for operation in operations {
            guard let operation = operation.exact else { continue }
            Records.change(operation) { $0.awaitNoMore(reference.id) }
        }
    }
}
