// FutureMutex: an asynchronous mutual-exclusion lock.

/// An asynchronous mutual-exclusion lock, granted in first-in, first-out order.
///
///     let mutex = FutureMutex()
///     mutex.enqueue { load().flatMap { store(change($0)) } }
///     mutex.withLock { try await store(change(load())) }      // asynchronous code
///
/// Waiting for the lock blocks no thread, and can be cancelled. The lock has no owner and is not recursive: an
/// operation that waits for it while it has it waits forever, unless the lock detects this as a ``FutureQueue`` does
/// and fails it with ``QueueError/deadlock(running:waiting:)``. To pass the protected resource to each operation, use a
/// `FutureQueue` with a resource.
public final class FutureMutex: Sendable {
    @usableFromInline let core: QueueCore<Void>

    init(_ line: Line) { core = QueueCore((), line) }

    /// Creates an unlocked lock.
    ///
    /// - Parameters:
    ///   - label: What messages call the lock; nil for the place where it is made.
    ///   - file: The file in that place.
    ///   - line: The line in that place.
    public convenience init(label: String? = nil, file: StaticString = #fileID, line: UInt = #line) {
        self.init(Line(LineLimits(1), named: LineName("FutureMutex", label, file, line)))
    }

    deinit { core.line.disown() }

    /// The number of operations and callers that wait for the lock.
    public var waitingCount: Int { core.line.state.withLock { $0.waitingCount } }

    /// Whether the lock is taken.
    public var isLocked: Bool { core.line.state.withLock { $0.runningCount > 0 } }

    /// Returns a future of a permit, which holds the lock until it is released.
    ///
    /// It is released by ``Permit/release()``, or when the last reference to the permit is released.
    ///
    /// - Parameters:
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it does not have the
    ///     lock by then, by the clock of the current scheduler; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    public func lock(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Future<Permit> {
        core.line.permit(QueueOptions(.normal, waitTimeout, nil, .init(file, line: line)))
    }

    /// Takes the lock if it is free and no other code waits for it.
    ///
    /// - Parameters:
    ///   - file: The file that reports name as the holder.
    ///   - line: The line that reports name as the holder.
    /// - Returns: A permit, which holds the lock until it is released; nil if the lock is taken.
    public func lockIfAvailable(file: StaticString = #fileID, line: UInt = #line) -> Permit? {
        core.line.permitIfAvailable(QueueOptions(.normal, nil, nil, .init(file, line: line)))
    }

    /// Calls `operation` with the lock taken, once it is free.
    ///
    /// The lock is taken until the future that `operation` returned has completed. Cancelling the returned future
    /// cancels the operation, which is not called if it still waits.
    ///
    /// - Parameters:
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Runs on the closure's actor, or else on the current scheduler, whose clock measures the time
    ///     limit. An error that it throws fails the returned future.
    /// - Returns: A future of the result of the future that `operation` returns.
    @_alwaysEmitIntoClient @discardableResult
    public func enqueue<T: Sendable>(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>
    ) -> Future<T> {
        let (scheduler, operation) = isolated(operation)
        return core.enqueue(
            on: scheduler, QueueOptions(.normal, waitTimeout, nil, .init(file, line: line)), operation)
    }

    /// Calls `operation` on `scheduler` with the lock taken, once it is free.
    ///
    /// The lock is taken until the future that `operation` returned has completed. Cancelling the returned future
    /// cancels the operation, which is not called if it still waits.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that `operation` is called on. Its clock measures the time limit.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: An error that it throws fails the returned future.
    /// - Returns: A future of the result of the future that `operation` returns.
    @_alwaysEmitIntoClient @discardableResult
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        core.enqueue(on: scheduler, QueueOptions(.normal, waitTimeout, nil, .init(file, line: line)), operation)
    }
}
