// FutureMutex: one at a time.

/// Lets one at a time go on; the others wait, in the order in which they came.
///
///     let mutex = FutureMutex()
///     mutex.enqueue { load().flatMap { store(change($0)) } }
///     mutex.withLock { try await store(change(load())) }      // asynchronous code
///
/// Waiting takes no thread, and can be cancelled. It knows no owner: whoever has the lock and waits for it again waits
/// for ever, but where a ``FutureQueue`` would see that, it fails with ``QueueError/deadlock(running:waiting:)``. To
/// hand out what the lock protects, take a `FutureQueue` with a resource.
public final class FutureMutex: Sendable {
    @usableFromInline let core = QueueCore((), Line(LineLimits(1)))

    /// Makes a lock that nobody has.
    public init() {}

    deinit { core.line.disown() }

    /// How many wait for the lock.
    public var waitingCount: Int { core.line.state.withLock { $0.waitingCount } }

    /// Whether somebody has the lock.
    public var isLocked: Bool { core.line.state.withLock { $0.runningCount > 0 } }

    /// A future of the lock, which is to be released.
    ///
    /// Without it after `waitingAtMost`, it fails with ``QueueError/waitedTooLong(_:)``.
    public func lock(
        waitingAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Future<Permit> {
        core.line.permit(QueueOptions(.normal, waitingAtMost, nil, .init(file, line: line)))
    }

    /// Calls `operation` once nobody has the lock, which is taken until the future that it returns is over.
    @inlinable @discardableResult
    public func enqueue<T: Sendable>(
        waitingAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>
    ) -> Future<T> {
        let (scheduler, operation) = isolated(operation)
        return core.enqueue(
            on: scheduler, QueueOptions(.normal, waitingAtMost, nil, .init(file, line: line)), operation)
    }

    /// The same, with `operation` called on `scheduler`.
    @inlinable @discardableResult
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, waitingAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        core.enqueue(on: scheduler, QueueOptions(.normal, waitingAtMost, nil, .init(file, line: line)), operation)
    }
}
