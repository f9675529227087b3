// FutureSemaphore: an asynchronous counting semaphore.

/// An asynchronous counting semaphore, whose permits are granted in first-in, first-out order.
///
///     let semaphore = FutureSemaphore(count: 3)
///     semaphore.enqueue { upload(file) }                      // Future<URL>
///     semaphore.withPermit { try await upload(file) }         // asynchronous code
///     semaphore.acquire().onValue { permit in permit.release() }
///
/// Waiting for a permit blocks no thread, and can be cancelled, which is O(1).
public final class FutureSemaphore: Sendable {
    @usableFromInline let core: QueueCore<Void>

    /// Creates a semaphore with `count` permits.
    ///
    /// - Parameters:
    ///   - count: The number of permits.
    ///   - label: What messages call the semaphore; nil for the place where it is made.
    ///   - file: The file named by the trap if `count` is less than 1.
    ///   - line: The line named by the trap if `count` is less than 1.
    /// - Precondition: `count` is at least 1.
    public init(count: Int, label: String? = nil, file: StaticString = #fileID, line: UInt = #line) {
        guard count >= 1 else {
            fatalError("A semaphore's count must be at least 1, or no operation could start.", file: file, line: line)
        }
        core = QueueCore((), Line(LineLimits(count), named: LineName("FutureSemaphore", label, file, line)))
    }

    deinit { core.line.disown() }

    /// The number of operations and callers that wait for a permit.
    public var waitingCount: Int { core.line.state.withLock { $0.waitingCount } }

    /// The number of permits that are taken.
    public var takenCount: Int { core.line.state.withLock { $0.runningCount } }

    /// Returns a future of a permit.
    ///
    /// It is released by ``Permit/release()``, or when the last reference to the permit is released.
    ///
    /// - Parameters:
    ///   - priority: Its precedence among those that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it does not have a
    ///     permit by then, by the clock of the current scheduler; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    public func acquire(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Future<Permit> {
        core.line.permit(QueueOptions(priority, waitTimeout, nil, .init(file, line: line)))
    }

    /// Takes a permit if there is one and no other code waits for it.
    ///
    /// - Parameters:
    ///   - file: The file that reports name as the holder.
    ///   - line: The line that reports name as the holder.
    /// - Returns: A permit, or nil if all are taken.
    public func acquireIfAvailable(file: StaticString = #fileID, line: UInt = #line) -> Permit? {
        core.line.permitIfAvailable(QueueOptions(.normal, nil, nil, .init(file, line: line)))
    }

    /// Calls `operation` with a permit taken, once there is one.
    ///
    /// The permit is taken until the future that `operation` returned has completed. Cancelling the returned future
    /// cancels the operation, which is not called if it still waits.
    ///
    /// - Parameters:
    ///   - priority: Its precedence among those that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: Runs on the closure's actor, or else on the current scheduler, whose clock measures the time
    ///     limit. An error that it throws fails the returned future.
    /// - Returns: A future of the result of the future that `operation` returns.
    @_alwaysEmitIntoClient @discardableResult
    public func enqueue<T: Sendable>(
        priority: QueuePriority = .normal, waitTimeout: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>
    ) -> Future<T> {
        let (scheduler, operation) = isolated(operation)
        return core.enqueue(
            on: scheduler, QueueOptions(priority, waitTimeout, nil, .init(file, line: line)), operation)
    }

    /// Calls `operation` on `scheduler` with a permit taken, once there is one.
    ///
    /// The permit is taken until the future that `operation` returned has completed. Cancelling the returned future
    /// cancels the operation, which is not called if it still waits.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that `operation` is called on. Its clock measures the time limit.
    ///   - priority: Its precedence among those that wait.
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it has not started;
    ///     nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    ///   - operation: An error that it throws fails the returned future.
    /// - Returns: A future of the result of the future that `operation` returns.
    @_alwaysEmitIntoClient @discardableResult
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        core.enqueue(on: scheduler, QueueOptions(priority, waitTimeout, nil, .init(file, line: line)), operation)
    }
}
