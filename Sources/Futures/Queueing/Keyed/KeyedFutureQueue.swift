// KeyedFutureQueue: operations with the same key one after the other, different keys side by side.

/// Runs operations with the same key one after the other, and those with different keys concurrently, up to a limit.
///
///     let requests = KeyedFutureQueue<String?>(maxConcurrentCount: 50, maxConcurrentCountPerKey: 2)
///     requests.enqueue(for: url.host()) { session.contents(of: url) }
///
/// Operations of a key start by their priority, and in the order in which they were enqueued if that is the same. If
/// more operations could start than the concurrency limit allows, the keys take turns, so that a key with many
/// operations does not delay the others. A priority orders the operations of one key only: keys take turns whatever
/// their operations' priorities.
///
/// As in a ``FutureQueue``, listeners of a completed operation are called before the next one of its key starts, and an
/// operation that is cancelled while it waits is never called. The queue stores nothing for a key without operations.
///
/// `hash(into:)` and `==` of a key are called by the thread that enqueues or aborts, without a lock: they may block, or
/// use the queue.
///
/// - Complexity: Enqueuing, completing and cancelling an operation are O(1) in the numbers of operations and keys.
public final class KeyedFutureQueue<Key: Hashable & Sendable>: Sendable {
    @usableFromInline let core: QueueCore<Void>

    init(_ line: Line) { core = QueueCore((), line) }

    /// Creates a queue with limits for all operations and for those of one key.
    ///
    /// - Parameters:
    ///   - label: What messages call the queue; nil for the place where it is made.
    ///   - maxConcurrentCount: The maximum number of operations that run concurrently.
    ///   - maxConcurrentCountPerKey: The maximum number of operations of one key that run concurrently.
    ///   - maxWaitingCount: The maximum number of operations that wait; beyond it, enqueuing fails with
    ///     ``QueueError/full(maxWaitingCount:)``.
    ///   - rate: The rate at which operations start at most, whatever their keys; nil for no limit.
    ///   - file: The file named by the trap if a precondition fails.
    ///   - lineNumber: The line named by the trap if a precondition fails.
    /// - Precondition: Both concurrency limits are at least 1, and `maxWaitingCount` is not negative.
    public convenience init(
        label: String? = nil, maxConcurrentCount: Int = .max, maxConcurrentCountPerKey: Int = 1,
        maxWaitingCount: Int = .max, rate: RateLimit? = nil, file: StaticString = #fileID,
        line lineNumber: UInt = #line
    ) {
        guard maxConcurrentCountPerKey >= 1 else {
            fatalError(
                "maxConcurrentCountPerKey must be at least 1, or no operation could start.", file: file,
                line: lineNumber)
        }
        let limits = LineLimits(maxConcurrentCount, maxWaitingCount, rate, file: file, line: lineNumber)
        self.init(
            Line(
                limits, maxConcurrentCountPerKey: maxConcurrentCountPerKey,
                named: LineName("KeyedFutureQueue", label, file, lineNumber)))
    }

    deinit { core.line.disown() }

    /// Enqueues an operation of a key, which is called when its turn has come.
    ///
    /// Its turn lasts until the future that it returns has completed, and a future that is the value of that. Closures
    /// that return no future are for `runSync`, if they are synchronous, and for `run`, if they are asynchronous.
    ///
    /// Cancelling the returned future cancels the operation: if it waits, it is never called; if it runs, the future
    /// that it returned is cancelled, unless that has other listeners.
    ///
    /// - Parameters:
    ///   - key: Its key: at most `maxConcurrentCountPerKey` operations with equal keys run concurrently.
    ///   - priority: Its precedence among the operations of its key that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - runTimeout: The time after its start at which it fails with ``QueueError/runTimedOut(after:)`` and its
    ///     future is cancelled; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - lineNumber: The line in the error of a deadlock.
    ///   - operation: Runs on the closure's actor, or else on the current scheduler, whose clock measures the time
    ///     limits. An error that it throws fails the returned future.
    /// - Returns: A future of the result of the future that `operation` returns. It fails with a ``QueueError`` if the
    ///   queue is full or a time limit passes, and with the queue's error if that is closed or aborted.
    @_alwaysEmitIntoClient @discardableResult
    public func enqueue<T: Sendable>(
        for key: Key, priority: QueuePriority = .normal, waitTimeout: Duration? = nil, runTimeout: Duration? = nil,
        file: StaticString = #fileID,
        line lineNumber: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>
    ) -> Future<T> {
        let (scheduler, operation) = isolated(operation)
        let options = QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: lineNumber))
        return core.enqueue(on: scheduler, options, operation, in: core.line.lane(of: key))
    }

    /// Enqueues an operation of a key, which is called on `scheduler` when its turn has come.
    ///
    /// Its turn lasts until the future that it returns has completed, and a future that is the value of that. Closures
    /// that return no future are for `runSync`, if they are synchronous, and for `run`, if they are asynchronous.
    ///
    /// Cancelling the returned future cancels the operation: if it waits, it is never called; if it runs, the future
    /// that it returned is cancelled, unless that has other listeners.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that `operation` is called on. Its clock measures the time limits.
    ///   - key: Its key: at most `maxConcurrentCountPerKey` operations with equal keys run concurrently.
    ///   - priority: Its precedence among the operations of its key that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - runTimeout: The time after its start at which it fails with ``QueueError/runTimedOut(after:)`` and its
    ///     future is cancelled; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - lineNumber: The line in the error of a deadlock.
    ///   - operation: An error that it throws fails the returned future.
    /// - Returns: A future of the result of the future that `operation` returns. It fails with a ``QueueError`` if the
    ///   queue is full or a time limit passes, and with the queue's error if that is closed or aborted.
    @_alwaysEmitIntoClient @discardableResult
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, for key: Key, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        runTimeout: Duration? = nil,
        file: StaticString = #fileID, line lineNumber: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: lineNumber))
        return core.enqueue(on: scheduler, options, operation, in: core.line.lane(of: key))
    }
}

extension KeyedFutureQueue {
    /// Whether no operation waits or runs.
    public var isEmpty: Bool { core.line.state.withLock { $0.isEmpty } }

    /// The number of operations that wait for their turn.
    public var waitingCount: Int { core.line.state.withLock { $0.waitingCount } }

    /// The number of operations that have their turn.
    public var runningCount: Int { core.line.state.withLock { $0.runningCount } }

    /// The number of keys of which operations wait or run.
    public var keyCount: Int { core.line.keyCount }

    /// Returns a future that succeeds once no operation waits or runs, or immediately if that is so now.
    public func drained() -> Future<Void> { core.line.emptiness(next: false) }

    /// Returns a future that succeeds the next time that the queue's last operation completes.
    ///
    /// Unlike ``drained()`` it does not complete while the queue stays empty. It fails with ``QueueError/closed`` if no
    /// operation can be enqueued any more: if the queue is empty, and closed or released.
    public func nextDrained() -> Future<Void> { core.line.emptiness(next: true) }

    /// Returns a future that succeeds once the queue has room for an operation, or immediately if it has room now.
    ///
    /// It has room while fewer than `maxWaitingCount` operations wait. If `maxWaitingCount` is zero, it has room while an
    /// operation of a key without running operations could start immediately. See
    /// ``FutureQueue/capacityAvailable()``.
    public func capacityAvailable() -> Future<Void> { core.line.capacityAvailable() }

    /// Whether the queue is paused: operations are accepted, but none starts.
    public var isPaused: Bool { core.line.state.withLock { $0.isPaused } }

    /// Keeps operations from getting their turn until ``resume()``. Operations that have their turn run
    /// and continue, even if their closure is called after this method has returned.
    ///
    /// A queue to which no references are left resumes by itself, so that its operations complete.
    public func pause() { core.line.pause() }

    /// Lets operations start again after ``pause()``.
    public func resume() { core.line.resume() }

    /// The error of operations that are enqueued now, or nil while the queue accepts operations.
    public var closedError: (any Error)? { core.line.state.withLock { $0.closedError } }

    /// Rejects operations from now on. Operations that wait or run continue.
    ///
    /// A queue stays closed, and keeps the error of the first call.
    ///
    /// - Parameter error: The error that operations fail with that are enqueued from now on.
    /// - Returns: A future that succeeds when all operations have completed. An operation of this queue must not wait
    ///   for it.
    @discardableResult
    public func close(with error: any Error = QueueError.closed) -> Future<Void> {
        core.line.close(with: error)
        return drained()
    }

    /// Fails the operations that wait or run, even if they have other listeners.
    ///
    /// What an operation that runs waits for is cancelled. The operation keeps its turn until its closure has returned.
    /// All operations' futures have completed before a callback of any of them is called.
    ///
    /// - Parameters:
    ///   - error: The error that they fail with.
    ///   - shouldCloseQueue: Whether the queue also rejects operations from now on, with `error`. Otherwise it
    ///     continues with those that are enqueued later.
    ///   - shouldAbortRunning: Whether it fails operations that run. Otherwise they continue.
    public func abortQueuedOperations(
        with error: any Error = CancellationError(), shouldCloseQueue: Bool = false, shouldAbortRunning: Bool = true
    ) {
        core.line.abort(with: error, closing: shouldCloseQueue, onlyWaiting: !shouldAbortRunning)
    }

    /// Fails the operations of a key that wait or run, even if they have other listeners.
    ///
    /// What an operation that runs waits for is cancelled. The operation keeps its turn until its closure has returned.
    ///
    /// - Parameters:
    ///   - key: The key of the operations.
    ///   - error: The error that they fail with.
    ///   - shouldAbortRunning: Whether it fails operations that run. Otherwise they continue.
    public func abortQueuedOperations(
        for key: Key, with error: any Error = CancellationError(), shouldAbortRunning: Bool = true
    ) {
        core.line.abort(core.line.lane(of: key), with: error, closing: false, onlyWaiting: !shouldAbortRunning)
    }
}
