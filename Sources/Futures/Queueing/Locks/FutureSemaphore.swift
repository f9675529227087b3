// FutureSemaphore: so many at a time.

/// Lets so many at a time go on; the others wait, in the order in which they came.
///
///     let semaphore = FutureSemaphore(count: 3)
///     semaphore.enqueue { upload(file) }                      // Future<URL>
///     semaphore.withPermit { try await upload(file) }         // asynchronous code
///     semaphore.acquire().onValue { permit in … permit.release() }
///
/// Waiting takes no thread, and can be cancelled; what is cancelled leaves in O(1), and takes nobody's turn.
public final class FutureSemaphore: Sendable {
    @usableFromInline let core: QueueCore<Void>

    /// Makes a semaphore with `count` permits.
    ///
    /// - Precondition: `count` is at least 1.
    public init(count: Int, file: StaticString = #fileID, line: UInt = #line) {
        guard count >= 1 else {
            fatalError("A semaphore's count must be at least 1, or nobody could ever go on.", file: file, line: line)
        }
        core = QueueCore((), Line(LineLimits(count)))
    }

    deinit { core.line.disown() }

    /// How many wait for a permit.
    public var waitingCount: Int { core.line.state.withLock { $0.waitingCount } }

    /// How many permits are out.
    public var takenCount: Int { core.line.state.withLock { $0.runningCount } }

    /// A future of a permit, which is to be released.
    ///
    /// Without one after `waitingAtMost`, it fails with ``QueueError/waitedTooLong(_:)``.
    public func acquire(
        priority: QueuePriority = .normal, waitingAtMost: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Future<Permit> {
        core.line.permit(QueueOptions(priority, waitingAtMost, nil, .init(file, line: line)))
    }

    /// Calls `operation` once there is a permit, which is taken until the future that it returns is over.
    @inlinable @discardableResult
    public func enqueue<T: Sendable>(
        priority: QueuePriority = .normal, waitingAtMost: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>
    ) -> Future<T> {
        let (scheduler, operation) = isolated(operation)
        return core.enqueue(
            on: scheduler, QueueOptions(priority, waitingAtMost, nil, .init(file, line: line)), operation)
    }

    /// The same, with `operation` called on `scheduler`.
    @inlinable @discardableResult
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitingAtMost: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        core.enqueue(on: scheduler, QueueOptions(priority, waitingAtMost, nil, .init(file, line: line)), operation)
    }
}
