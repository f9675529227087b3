// KeyedFutureQueue: operations with the same key one after the other, different keys side by side.

/// Runs operations with the same key one after the other, those with different keys side by side, up to a limit.
///
///     let requests = KeyedFutureQueue<Host>(maxConcurrentCount: 50, maxConcurrentCountPerKey: 2)
///     requests.enqueue(for: url.host) { session.contents(of: url) }
///
/// Operations of a key start by their priority, and in the order in which they were enqueued if that is the same. If
/// more could start than the concurrency limit allows, the keys take turns, so that a key with many operations does not
/// delay the others. A priority orders the operations of one key only: keys take turns whatever their operations'
/// priorities. Nothing is kept for a key of which nothing waits or runs. All else is as with a ``FutureQueue``: who
/// waits for a finished operation hears before the next one of its key begins, what is cancelled while it waits never
/// begins, and enqueue, finish and cancel take the same time however many wait, of however many keys.
///
/// `hash(into:)` and `==` of a key are called by the thread that enqueues or aborts, without a lock: they may block, or
/// use the queue.
public final class KeyedFutureQueue<Key: Hashable & Sendable>: Sendable {
    @usableFromInline let core: QueueCore<Void>

    /// Makes a queue that runs at most `maxConcurrentCount` operations at a time, and `maxConcurrentCountPerKey` of
    /// each key.
    ///
    /// What comes while `maxWaitingCount` operations wait fails with ``QueueError/queueFull(maxWaitingCount:)``. With a
    /// `rate`, operations begin so often at most, of whatever key.
    ///
    /// - Precondition: the concurrent counts are at least 1, and `maxWaitingCount` not negative.
    public init(
        maxConcurrentCount: Int = .max, maxConcurrentCountPerKey: Int = 1, maxWaitingCount: Int = .max,
        rate: Rate? = nil, file: StaticString = #fileID, line lineNumber: UInt = #line
    ) {
        guard maxConcurrentCountPerKey >= 1 else {
            fatalError(
                "maxConcurrentCountPerKey must be at least 1, or nothing could ever begin.", file: file,
                line: lineNumber)
        }
        let limits = LineLimits(maxConcurrentCount, maxWaitingCount, rate, file: file, line: lineNumber)
        core = QueueCore((), Line(limits, maxConcurrentCountPerKey: maxConcurrentCountPerKey))
    }

    deinit { core.line.disown() }

    /// Adds an operation, which is called when its turn has come.
    ///
    /// The future has the result of the one that `operation` returns; a throw is a failure. If it has not begun after
    /// `waitingAtMost`, it fails with ``QueueError/waitedTooLong(_:)`` and never begins; if it is not over
    /// `runningAtMost` after it began, it fails with ``QueueError/ranTooLong(_:)``, and what it returned is cancelled.
    /// `priority` is its precedence among the operations of its key that wait; keys take turns whatever the priorities.
    @inlinable @discardableResult
    public func enqueue<T: Sendable>(
        for key: Key, priority: QueuePriority = .normal, waitingAtMost: Duration? = nil, runningAtMost: Duration? = nil,
        file: StaticString = #fileID,
        line lineNumber: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>
    ) -> Future<T> {
        let (scheduler, operation) = isolated(operation)
        let options = QueueOptions(priority, waitingAtMost, runningAtMost, .init(file, line: lineNumber))
        return core.enqueue(on: scheduler, options, operation, in: core.line.lane(of: key))
    }

    /// The same, with `operation` called on `scheduler`.
    @inlinable @discardableResult
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, for key: Key, priority: QueuePriority = .normal, waitingAtMost: Duration? = nil,
        runningAtMost: Duration? = nil,
        file: StaticString = #fileID, line lineNumber: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        let options = QueueOptions(priority, waitingAtMost, runningAtMost, .init(file, line: lineNumber))
        return core.enqueue(on: scheduler, options, operation, in: core.line.lane(of: key))
    }
}

extension KeyedFutureQueue {
    /// Whether no operation waits or runs.
    public var isEmpty: Bool { core.line.state.withLock { $0.isEmpty } }

    /// How many operations wait for their turn.
    public var waitingCount: Int { core.line.state.withLock { $0.waitingCount } }

    /// How many operations have their turn.
    public var runningCount: Int { core.line.state.withLock { $0.runningCount } }

    /// Of how many keys operations wait or run.
    public var keyCount: Int { core.line.keyCount }

    /// A future that succeeds once no operation waits or runs; at once, if that is so.
    public func drained() -> Future<Void> { core.line.emptiness(next: false) }

    /// A future that succeeds the next time that the last operation is over.
    public var onEmpty: Future<Void> { core.line.emptiness(next: true) }

    /// Returns a future that succeeds once the queue would accept an operation, or at once if it would now.
    ///
    /// That is the case while fewer than `maxWaitingCount` operations wait. If `maxWaitingCount` is zero, it is the
    /// case while an operation of a key without running operations could start at once. See ``FutureQueue/room()``.
    public func room() -> Future<Void> { core.line.room() }

    /// Whether the queue lets no operation begin.
    public var isPaused: Bool { core.line.state.withLock { $0.isPaused } }

    /// Lets no operation begin until ``resume()``, or until nobody holds the queue; those that run go on.
    public func pause() { core.line.pause() }

    /// Lets operations begin again.
    public func resume() { core.line.resume() }

    /// What operations fail with that are enqueued now; nil as long as the queue accepts them.
    public var closedError: (any Error)? { core.line.state.withLock { $0.closedError } }

    /// Refuses operations from now on, with `error`; what is returned succeeds when all others are over.
    @discardableResult
    public func close(with error: any Error = QueueError.closed) -> Future<Void> {
        core.line.close(with: error)
        return drained()
    }

    /// Fails all operations that wait, with `error`, and cancels those that run, also if others listen to them.
    public func abortQueuedOperations(
        with error: any Error = CancellationError(), shouldCloseQueue: Bool = false
    ) {
        core.line.abort(with: error, closing: shouldCloseQueue)
    }

    /// Fails the operations of a key that wait, with `error`, and cancels those that run.
    public func abortQueuedOperations(for key: Key, with error: any Error = CancellationError()) {
        core.line.abort(core.line.lane(of: key), with: error, closing: false)
    }
}
