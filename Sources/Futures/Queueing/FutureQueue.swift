// FutureQueue: operations one after the other, with exclusive use of a resource.

/// Runs operations one after the other, or so many at a time, in the order in which they came.
///
///     let queue = FutureQueue(resource: file)
///     queue.enqueue { file in file.append(line) }         // append returns a Future<Int>
///     queue.run { file in try await file.read() }         // asynchronous code
///     queue.runSync { file in try file.seek(to: 0) }      // synchronous code
///
/// An operation has begun when its closure is called, and is over when the future that it returned completes. Whoever
/// listens to that hears of it before the next operation begins. An operation that is cancelled while it waits never
/// begins; a repetition of its future enqueues it again. Enqueue, finish and cancel take the same time however many
/// wait. Operations go on, and those that wait begin, also when nobody holds the queue any more.
///
/// An operation must not wait for one that is behind it in the same queue, nor for its queue to be empty. Where the
/// queue sees that, it fails with ``QueueError/deadlock(running:waiting:)``; it does not look through futures that wait
/// for several others, such as a `join`, nor into other queues. `Documentation/Queues.md` shows what queues are good
/// for.
public final class FutureQueue<Resource: Sendable>: Sendable {
    @usableFromInline let core: QueueCore<Resource>

    init(_ resource: Resource, _ limits: LineLimits, executeOn scheduler: Scheduler? = nil) {
        core = QueueCore(resource, Line(limits), executeOn: scheduler)
    }

    deinit { core.line.disown() }

    /// Makes a queue that hands `resource` to at most `maxConcurrentCount` operations at a time.
    ///
    /// What comes while `maxWaitingCount` operations wait fails with ``QueueError/queueFull(maxWaitingCount:)``. With a
    /// `rate`, operations begin so often at most.
    ///
    /// - Precondition: `maxConcurrentCount` is at least 1, and `maxWaitingCount` not negative.
    public convenience init(
        resource: Resource, maxConcurrentCount: Int = 1, maxWaitingCount: Int = .max, rate: Rate? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(resource, LineLimits(maxConcurrentCount, maxWaitingCount, rate, file: file, line: line))
    }

    /// The same, with operations called on `scheduler` that were enqueued without `on:` and belong to no actor.
    ///
    /// - Precondition: `maxConcurrentCount` is at least 1, and `maxWaitingCount` not negative.
    public convenience init(
        resource: Resource, maxConcurrentCount: Int = 1, maxWaitingCount: Int = .max, rate: Rate? = nil,
        executeOn scheduler: Scheduler, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            resource, LineLimits(maxConcurrentCount, maxWaitingCount, rate, file: file, line: line),
            executeOn: scheduler)
    }

    // Disfavoured, as are all faces with the resource: those of a queue without one match the same closures, and the
    // solver would try both at each step of a nested chain (11138 scopes at 11 steps instead of 60).
    /// Adds an operation, which is called with the resource when its turn has come.
    ///
    /// The future has the result of the one that `operation` returns; a throw is a failure. Closures that return none
    /// are for `run` and `runSync`. If it has not begun after `waitingAtMost`, it fails with
    /// ``QueueError/waitedTooLong(_:)`` and never begins; if it is not over `runningAtMost` after it began, it fails
    /// with ``QueueError/ranTooLong(_:)``, and what it returned is cancelled. The time is that of the scheduler on
    /// which it runs.
    @inlinable @_disfavoredOverload @discardableResult
    public func enqueue<T: Sendable>(
        priority: QueuePriority = .normal, waitingAtMost: Duration? = nil, runningAtMost: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) throws -> Future<T>
    ) -> Future<T> {
        let isIsolated = operation.isolation != nil
        let (inferred, operation) = isolated(operation)
        let options = QueueOptions(priority, waitingAtMost, runningAtMost, .init(file, line: line))
        let scheduler = core.scheduler(inferred: inferred, isIsolated: isIsolated)
        return core.enqueue(on: scheduler, options, operation)
    }

    /// The same, with `operation` called on `scheduler`.
    @inlinable @_disfavoredOverload @discardableResult
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitingAtMost: Duration? = nil,
        runningAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>
    ) -> Future<T> {
        let options = QueueOptions(priority, waitingAtMost, runningAtMost, .init(file, line: line))
        return core.enqueue(on: scheduler, options, operation)
    }
}

extension FutureQueue<Void> {
    /// Makes a queue without a resource.
    ///
    /// - Precondition: `maxConcurrentCount` is at least 1, and `maxWaitingCount` not negative.
    public convenience init(
        maxConcurrentCount: Int = 1, maxWaitingCount: Int = .max, rate: Rate? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init((), LineLimits(maxConcurrentCount, maxWaitingCount, rate, file: file, line: line))
    }

    /// The same, with operations called on `scheduler` that were enqueued without `on:` and belong to no actor.
    ///
    /// - Precondition: `maxConcurrentCount` is at least 1, and `maxWaitingCount` not negative.
    public convenience init(
        maxConcurrentCount: Int = 1, maxWaitingCount: Int = .max, rate: Rate? = nil, executeOn scheduler: Scheduler,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            (), LineLimits(maxConcurrentCount, maxWaitingCount, rate, file: file, line: line), executeOn: scheduler)
    }

    /// Adds an operation, which is called when its turn has come. Its time limits are those of a queue with a resource.
    @inlinable @discardableResult
    public func enqueue<T: Sendable>(
        priority: QueuePriority = .normal, waitingAtMost: Duration? = nil, runningAtMost: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>
    ) -> Future<T> {
        let isIsolated = operation.isolation != nil
        let (inferred, operation) = isolated(operation)
        let options = QueueOptions(priority, waitingAtMost, runningAtMost, .init(file, line: line))
        let scheduler = core.scheduler(inferred: inferred, isIsolated: isIsolated)
        return core.enqueue(on: scheduler, options, operation)
    }

    /// The same, with `operation` called on `scheduler`.
    @inlinable @discardableResult
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitingAtMost: Duration? = nil,
        runningAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        let options = QueueOptions(priority, waitingAtMost, runningAtMost, .init(file, line: line))
        return core.enqueue(on: scheduler, options, operation)
    }
}
