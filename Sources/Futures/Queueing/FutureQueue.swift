// FutureQueue: operations in order, with exclusive use of a resource.

/// Runs operations in the order in which they were enqueued, at most N concurrently, with exclusive use of a resource.
///
///     let queue = FutureQueue(resource: file)
///     queue.enqueue { file in file.append(line) }         // append returns a Future<Int>
///     queue.run { file in try await file.read() }         // asynchronous code
///     queue.runSync { file in try file.seek(to: 0) }      // synchronous code
///
/// An operation starts when its closure is called, and completes when the future that it returned does. Until then it
/// has its turn, and with it the resource. Listeners of a completed operation are called before the next operation
/// starts. An operation that is cancelled while it waits is never called. A repetition of an operation's future
/// enqueues the operation again. Releasing the queue does not affect operations: those that run complete, and those
/// that wait start.
///
/// An operation must not wait for one behind it in the same queue, nor for its queue to drain. Where the queue detects
/// this, the operation fails with ``QueueError/deadlock(running:waiting:)``. It cannot detect it through futures that
/// wait for several others, such as a `join`, nor across queues. `Documentation/Queues.md` shows uses of queues.
///
/// - Complexity: Enqueuing, completing and cancelling an operation are O(1) in the number of operations that wait.
public final class FutureQueue<Resource: Sendable>: Sendable {
    @usableFromInline let core: QueueCore<Resource>

    init(
        _ resource: Resource, _ limits: LineLimits, named name: LineName, executeOn scheduler: Scheduler? = nil,
        leasing: LineLeasing? = nil
    ) {
        core = QueueCore(resource, Line(limits, named: name, leasing: leasing), executeOn: scheduler)
    }

    deinit { core.line.disown() }

    /// Creates a queue whose operations are called with `resource`.
    ///
    /// - Parameters:
    ///   - label: What messages call the queue; nil for the place where it is made.
    ///   - resource: What each operation is called with.
    ///   - maxConcurrentCount: The maximum number of operations that run concurrently.
    ///   - maxWaitingCount: The maximum number of operations that wait; beyond it, enqueuing fails with
    ///     ``QueueError/full(maxWaitingCount:)``.
    ///   - overflow: What fails beyond it: the operation that is enqueued, or the oldest one that waits.
    ///   - rate: The rate at which operations start at most; nil for no limit.
    ///   - scheduler: What operations are called on that belong to no actor and are enqueued without `on:`; nil for the
    ///     scheduler that is current when they are enqueued.
    ///   - file: The file named by the trap if a precondition fails.
    ///   - line: The line named by the trap if a precondition fails.
    /// - Precondition: `maxConcurrentCount` is at least 1, and `maxWaitingCount` is not negative.
    public convenience init(
        label: String? = nil, resource: Resource, maxConcurrentCount: Int = 1, maxWaitingCount: Int = .max,
        overflow: QueueOverflow = .reject, rate: RateLimit? = nil, executeOn scheduler: Scheduler? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            resource, LineLimits(maxConcurrentCount, maxWaitingCount, rate, overflow: overflow, file: file, line: line),
            named: LineName("FutureQueue", label, file, line), executeOn: scheduler)
    }

    // Disfavoured, as are all faces with the resource: those of a queue without one match the same closures, and the
    // solver would try both at each step of a nested chain (11138 scopes at 11 steps instead of 60).
    /// Enqueues an operation, which is called with the resource when its turn has come.
    ///
    /// Its turn lasts until the future that it returns has completed, and a future that is the value of that. Closures
    /// that return no future are for `runSync`, if they are synchronous, and for `run`, if they are asynchronous.
    ///
    /// Cancelling the returned future cancels the operation: if it waits, it is never called; if it runs, the future
    /// that it returned is cancelled, unless that has other listeners.
    ///
    /// - Parameters:
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - runTimeout: The time after its start at which it fails with ``QueueError/runTimedOut(after:)`` and its
    ///     future is cancelled; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Runs on the closure's actor, or else on the queue's `executeOn:` scheduler, or else on the
    ///     current scheduler, whose clock measures the time limits. An error that it throws fails the returned future.
    /// - Returns: A future of the result of the future that `operation` returns. It fails with a ``QueueError`` if the
    ///   queue is full or a time limit passes, and with the queue's error if that is closed or aborted.
    @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
    public func enqueue<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, runTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) throws -> Future<T>
    ) -> Future<T> {
        let isIsolated = operation.isolation != nil
        let (inferred, operation) = isolated(operation)
        let options = QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: line))
        let scheduler = core.scheduler(inferred: inferred, isIsolated: isIsolated)
        return core.enqueue(on: scheduler, options, operation)
    }

    /// Enqueues an operation, which is called with the resource on `scheduler` when its turn has come.
    ///
    /// Its turn lasts until the future that it returns has completed, and a future that is the value of that. Closures
    /// that return no future are for `runSync`, if they are synchronous, and for `run`, if they are asynchronous.
    ///
    /// Cancelling the returned future cancels the operation: if it waits, it is never called; if it runs, the future
    /// that it returned is cancelled, unless that has other listeners.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that `operation` is called on. Its clock measures the time limits.
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - runTimeout: The time after its start at which it fails with ``QueueError/runTimedOut(after:)`` and its
    ///     future is cancelled; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: An error that it throws fails the returned future.
    /// - Returns: A future of the result of the future that `operation` returns. It fails with a ``QueueError`` if the
    ///   queue is full or a time limit passes, and with the queue's error if that is closed or aborted.
    @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        runTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: line))
        return core.enqueue(on: scheduler, options, operation)
    }
}

extension FutureQueue<Void> {
    /// Creates a queue without a resource.
    ///
    /// - Parameters:
    ///   - label: What messages call the queue; nil for the place where it is made.
    ///   - maxConcurrentCount: The maximum number of operations that run concurrently.
    ///   - maxWaitingCount: The maximum number of operations that wait; beyond it, enqueuing fails with
    ///     ``QueueError/full(maxWaitingCount:)``.
    ///   - overflow: What fails beyond it: the operation that is enqueued, or the oldest one that waits.
    ///   - rate: The rate at which operations start at most; nil for no limit.
    ///   - scheduler: What operations are called on that belong to no actor and are enqueued without `on:`; nil for the
    ///     scheduler that is current when they are enqueued.
    ///   - file: The file named by the trap if a precondition fails.
    ///   - line: The line named by the trap if a precondition fails.
    /// - Precondition: `maxConcurrentCount` is at least 1, and `maxWaitingCount` is not negative.
    public convenience init(
        label: String? = nil, maxConcurrentCount: Int = 1, maxWaitingCount: Int = .max,
        overflow: QueueOverflow = .reject, rate: RateLimit? = nil, executeOn scheduler: Scheduler? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            (), LineLimits(maxConcurrentCount, maxWaitingCount, rate, overflow: overflow, file: file, line: line),
            named: LineName("FutureQueue", label, file, line), executeOn: scheduler)
    }

    /// Enqueues an operation, which is called when its turn has come.
    ///
    /// Its turn lasts until the future that it returns has completed, and a future that is the value of that. Closures
    /// that return no future are for `runSync`, if they are synchronous, and for `run`, if they are asynchronous.
    ///
    /// Cancelling the returned future cancels the operation: if it waits, it is never called; if it runs, the future
    /// that it returned is cancelled, unless that has other listeners.
    ///
    /// - Parameters:
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - runTimeout: The time after its start at which it fails with ``QueueError/runTimedOut(after:)`` and its
    ///     future is cancelled; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Runs on the closure's actor, or else on the queue's `executeOn:` scheduler, or else on the
    ///     current scheduler, whose clock measures the time limits. An error that it throws fails the returned future.
    /// - Returns: A future of the result of the future that `operation` returns. It fails with a ``QueueError`` if the
    ///   queue is full or a time limit passes, and with the queue's error if that is closed or aborted.
    @_alwaysEmitIntoClient @discardableResult
    public func enqueue<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, runTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>
    ) -> Future<T> {
        let isIsolated = operation.isolation != nil
        let (inferred, operation) = isolated(operation)
        let options = QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: line))
        let scheduler = core.scheduler(inferred: inferred, isIsolated: isIsolated)
        return core.enqueue(on: scheduler, options, operation)
    }

    /// Enqueues an operation, which is called on `scheduler` when its turn has come.
    ///
    /// Its turn lasts until the future that it returns has completed, and a future that is the value of that. Closures
    /// that return no future are for `runSync`, if they are synchronous, and for `run`, if they are asynchronous.
    ///
    /// Cancelling the returned future cancels the operation: if it waits, it is never called; if it runs, the future
    /// that it returned is cancelled, unless that has other listeners.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that `operation` is called on. Its clock measures the time limits.
    ///   - priority: Its precedence among the operations that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - runTimeout: The time after its start at which it fails with ``QueueError/runTimedOut(after:)`` and its
    ///     future is cancelled; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: An error that it throws fails the returned future.
    /// - Returns: A future of the result of the future that `operation` returns. It fails with a ``QueueError`` if the
    ///   queue is full or a time limit passes, and with the queue's error if that is closed or aborted.
    @_alwaysEmitIntoClient @discardableResult
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        runTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: line))
        return core.enqueue(on: scheduler, options, operation)
    }
}
