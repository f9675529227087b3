// KeyedFutureQueue: operations with the same key run serially, those with different keys concurrently.

/// Runs operations with the same key serially, and those with different keys concurrently, up to a limit.
///
///     let requests = KeyedFutureQueue<String?>(
///         maxConcurrentCount: 50, maxConcurrentCountPerKey: 2, ratePerKey: RateLimit(10, per: .seconds(1)))
///     requests[url.host()].enqueue { session.contents(of: url) }
///
/// Operations of a key start by their priority, and in the order in which they were enqueued if that is the same. If
/// more operations could start than the concurrency limit allows, the keys take turns, so that a key with many
/// operations does not delay the others. A priority orders the operations of one key only: keys take turns whatever
/// their operations' priorities.
///
/// As in a ``FutureQueue``, listeners of a completed operation are called before the next one of its key starts, and an
/// operation that is cancelled while it waits is never called. The queue stores nothing for a key without operations,
/// unless the key is paused or `ratePerKey` counts its earlier starts.
///
/// `==` of a key is called by the thread that uses `queue[key]`, under the queue's lock: it must not use the queue.
///
/// - Complexity: Enqueuing, completing and cancelling an operation are O(1) in the numbers of operations and keys.
public final class KeyedFutureQueue<Key: Hashable & Sendable>: TurnQueue {
    @usableFromInline let core: QueueCore<Void>

    /// Where operations wait for their turn.
    public static func _line(of queue: KeyedFutureQueue) -> Line { queue.core.line }

    /// Creates a queue with limits for all operations and for those of one key.
    ///
    /// - Parameters:
    ///   - label: What messages call the queue; nil for the place where it is made.
    ///   - maxConcurrentCount: The maximum number of operations that run concurrently; with weights, of their sum.
    ///   - maxConcurrentCountPerKey: The maximum number of operations of one key that run concurrently.
    ///   - maxWaitingCount: The maximum number of operations that wait; beyond it, enqueuing fails with
    ///     ``QueueError/full(maxWaitingCount:)``.
    ///   - rate: The rate at which operations start at most, whatever their keys; nil for no limit.
    ///   - ratePerKey: The rate at which operations of one key start at most, by the clock of `rate` if there is one; nil
    ///     for no limit. A key above its rate does not delay the others.
    ///   - file: The file named by the trap if a precondition fails.
    ///   - lineNumber: The line named by the trap if a precondition fails.
    /// - Precondition: Both concurrency limits are at least 1, and `maxWaitingCount` is not negative.
    public init(
        label: String? = nil, maxConcurrentCount: Int = .max, maxConcurrentCountPerKey: Int = 1,
        maxWaitingCount: Int = .max, rate: RateLimit? = nil, ratePerKey: RateLimit? = nil,
        file: StaticString = #fileID, line lineNumber: UInt = #line
    ) {
        LineLimits.check(maxConcurrentCountPerKey, "maxConcurrentCountPerKey", file: file, line: lineNumber)
        let limits = LineLimits(
            maxConcurrentCount, maxWaitingCount, rate, maxConcurrentCountPerKey: maxConcurrentCountPerKey,
            ratePerKey: ratePerKey, file: file, line: lineNumber)
        core = QueueCore((), Line(limits, named: LineName("KeyedFutureQueue", label, file, lineNumber)))
    }

    deinit { core.line.resume() }

    /// The number of keys of which operations wait or run, that are paused, or whose `ratePerKey` counts earlier starts.
    public var keyCount: Int { line.state.withLock { $0.table.count } }

    /// Returns the turns of `key`.
    @inlinable public subscript(key: Key) -> KeyTurns<Key> { KeyTurns(queue: self, lane: core.line.lane(of: key)) }
}

/// The turns of a key of a ``KeyedFutureQueue``, and what can be done with the operations of that key alone.
public struct KeyTurns<Key: Hashable & Sendable>: TurnGiver {
    @usableFromInline let queue: KeyedFutureQueue<Key>
    @usableFromInline let lane: Lane

    @inlinable
    init(queue: KeyedFutureQueue<Key>, lane: Lane) {
        self.queue = queue
        self.lane = lane
    }

    /// Where operations wait for their turn.
    @inlinable
    public static func _turns(of giver: Self) -> TurnSource<Void> { TurnSource(giver.queue.core, giver.lane) }

    /// Whether operations of the key are accepted but do not start, as those of a queue whose ``TurnQueue/isPaused`` is
    /// true. Other keys are not delayed. The queue stores a key while it is paused.
    public var isPaused: Bool {
        get { queue.line.state.withLock { $0.present(lane).isPaused } }
        nonmutating set { queue.line.pause(lane, newValue) }
    }

    /// Fails the operations of the key that wait or run, as ``TurnQueue/cancelAll(with:)`` does those of the queue.
    public func cancelAll(with error: any Error = CancellationError()) {
        queue.line.abort(lane, with: error)
    }

    /// Cancels the operations of the key that wait, as ``TurnQueue/cancelWaiting()`` does those of the queue.
    public func cancelWaiting() {
        queue.line.abort(lane, with: CancellationError(), onlyWaiting: true)
    }
}
