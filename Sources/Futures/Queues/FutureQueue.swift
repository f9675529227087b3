// FutureQueue: operations in order, with exclusive use of a resource.

/// Runs operations in the order in which they were enqueued, at most N concurrently, with exclusive use of a resource.
/// If N is more than one, operations that have their turns may start in another order.
///
///     let queue = FutureQueue(resource: file)
///     queue.enqueue { file in file.append(line) }         // append returns a Future<Int>
///     queue.run { file in try await file.read() }         // asynchronous code
///     queue.run { file in try file.seek(to: 0) }          // synchronous code
///
/// ``TurnGiver`` has its operations, and ``TurnQueue`` how it is closed, paused and drained.
/// `Documentation/Guides/Queues.md` shows uses of queues.
///
/// - Complexity: Enqueuing, completing and cancelling an operation are O(1) in the number of operations that wait.
public final class FutureQueue<Resource: Sendable>: TurnQueue, TurnGiver {
    @usableFromInline let core: QueueCore<Resource>

    /// Where operations wait for their turn.
    @inlinable
    public static func _turns(of giver: FutureQueue) -> TurnSource<Resource> { TurnSource(giver.core) }

    init(_ resource: Resource, _ limits: LineLimits, named name: LineName, executeOn scheduler: Scheduler? = nil) {
        core = QueueCore(resource, Line(limits, named: name), executeOn: scheduler)
    }

    deinit { core.line.resume() }

    /// Creates a queue whose operations are called with `resource`.
    ///
    /// - Parameters:
    ///   - label: What messages call the queue; nil for the place where it is made.
    ///   - resource: What each operation is called with.
    ///   - maxConcurrentCount: The maximum number of operations that run concurrently; with weights, of their sum.
    ///   - maxWaitingCount: The maximum number of operations that wait; beyond it, enqueuing fails with
    ///     ``QueueError/full(maxWaitingCount:)``.
    ///   - rate: The rate at which operations start at most; nil for no limit.
    ///   - scheduler: What operations are called on that belong to no actor and are enqueued without `on(_:)`; nil for the
    ///     scheduler that is current when they are enqueued.
    ///   - file: The file named by the trap if a precondition fails.
    ///   - line: The line named by the trap if a precondition fails.
    /// - Precondition: `maxConcurrentCount` is at least 1, and `maxWaitingCount` is not negative.
    public convenience init(
        label: String? = nil, resource: Resource, maxConcurrentCount: Int = 1, maxWaitingCount: Int = .max,
        rate: RateLimit? = nil, executeOn scheduler: Scheduler? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            resource, LineLimits(maxConcurrentCount, maxWaitingCount, rate, file: file, line: line),
            named: LineName("FutureQueue", label, file, line), executeOn: scheduler)
    }
}

extension FutureQueue<Void> {
    /// Creates a queue without a resource: see
    /// ``FutureQueue/init(label:resource:maxConcurrentCount:maxWaitingCount:rate:executeOn:file:line:)``.
    public convenience init(
        label: String? = nil, maxConcurrentCount: Int = 1, maxWaitingCount: Int = .max,
        rate: RateLimit? = nil, executeOn scheduler: Scheduler? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            label: label, resource: (), maxConcurrentCount: maxConcurrentCount, maxWaitingCount: maxWaitingCount,
            rate: rate, executeOn: scheduler, file: file, line: line)
    }
}
