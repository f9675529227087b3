// FutureReadWriteLock: any number of readers, or one writer.

/// An asynchronous lock for any number of concurrent readers, or one writer alone.
///
///     let lock = FutureReadWriteLock()
///     lock.enqueueReading { glossary.find(word) }             // returns a future
///     lock.withWriterLock { try await glossary.add(word) }    // asynchronous code
///
/// The lock is fair: it is granted in first-in, first-out order, so a reader behind a writer waits for it, and neither
/// starves. Waiting blocks no thread, and can be cancelled.
public final class FutureReadWriteLock: Sendable {
    @usableFromInline let core: QueueCore<Void>

    /// Creates an unlocked lock.
    ///
    /// - Parameters:
    ///   - label: What messages call the lock; nil for the place where it is made.
    ///   - file: The file in that place.
    ///   - line: The line in that place.
    public init(label: String? = nil, file: StaticString = #fileID, line: UInt = #line) {
        core = QueueCore((), Line(LineLimits(.max), named: LineName("FutureReadWriteLock", label, file, line)))
    }

    deinit { core.line.disown() }

    /// The number of readers and writers that wait for the lock.
    public var waitingCount: Int { core.line.state.withLock { $0.waitingCount } }

    /// The number of readers that have the lock, or 1 if a writer has it.
    public var takenCount: Int { core.line.state.withLock { $0.runningCount } }

    /// Returns a future of a permit to read, which keeps writers waiting until it is released.
    ///
    /// It is released by ``Permit/release()``, or when the last reference to the permit is released.
    ///
    /// - Parameters:
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it does not have the
    ///     lock by then, by the clock of the current scheduler; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    public func lockForReading(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Future<Permit> {
        core.line.permit(QueueOptions(.normal, waitTimeout, nil, .init(file, line: line)))
    }

    /// Returns a future of a permit to write, which keeps readers and other writers waiting until it is released.
    ///
    /// It is released by ``Permit/release()``, or when the last reference to the permit is released.
    ///
    /// - Parameters:
    ///   - waitTimeout: The time after which it fails with ``QueueError/waitTimedOut(after:)`` if it does not have the
    ///     lock by then, by the clock of the current scheduler; nil for no limit.
    ///   - file: The file in the error of a deadlock.
    ///   - line: The line in the error of a deadlock.
    public func lockForWriting(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Future<Permit> {
        core.line.permit(.writing(waitTimeout, .init(file, line: line)))
    }

    /// Takes the lock for reading if no writer has it or waits for it.
    ///
    /// - Parameters:
    ///   - file: The file that reports name as the holder.
    ///   - line: The line that reports name as the holder.
    /// - Returns: A permit to read; nil if a writer has the lock or waits for it.
    public func lockForReadingIfAvailable(file: StaticString = #fileID, line: UInt = #line) -> Permit? {
        core.line.permitIfAvailable(QueueOptions(.normal, nil, nil, .init(file, line: line)))
    }

    /// Takes the lock for writing if no other code has it or waits for it.
    ///
    /// - Parameters:
    ///   - file: The file that reports name as the holder.
    ///   - line: The line that reports name as the holder.
    /// - Returns: A permit to write; nil if the lock is taken.
    public func lockForWritingIfAvailable(file: StaticString = #fileID, line: UInt = #line) -> Permit? {
        core.line.permitIfAvailable(.writing(nil, .init(file, line: line)))
    }

    /// Calls `operation` concurrently with other readers.
    ///
    /// Writers wait until the future that `operation` returned has completed. Cancelling the returned future cancels
    /// the operation, which is not called if it still waits.
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
    public func enqueueReading<T: Sendable>(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>
    ) -> Future<T> {
        let (scheduler, operation) = isolated(operation)
        return core.enqueue(
            on: scheduler, QueueOptions(.normal, waitTimeout, nil, .init(file, line: line)), operation)
    }

    /// Calls `operation` on `scheduler`, concurrently with other readers.
    ///
    /// Writers wait until the future that `operation` returned has completed. Cancelling the returned future cancels
    /// the operation, which is not called if it still waits.
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
    public func enqueueReading<T: Sendable>(
        on scheduler: Scheduler, waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        core.enqueue(on: scheduler, QueueOptions(.normal, waitTimeout, nil, .init(file, line: line)), operation)
    }

    /// Calls `operation` while it has the lock alone.
    ///
    /// Readers and other writers wait until the future that `operation` returned has completed. Cancelling the returned
    /// future cancels the operation, which is not called if it still waits.
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
    public func enqueueWriting<T: Sendable>(
        waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>
    ) -> Future<T> {
        let (scheduler, operation) = isolated(operation)
        return core.enqueue(on: scheduler, .writing(waitTimeout, .init(file, line: line)), operation)
    }

    /// Calls `operation` on `scheduler` while it has the lock alone.
    ///
    /// Readers and other writers wait until the future that `operation` returned has completed. Cancelling the returned
    /// future cancels the operation, which is not called if it still waits.
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
    public func enqueueWriting<T: Sendable>(
        on scheduler: Scheduler, waitTimeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        core.enqueue(on: scheduler, .writing(waitTimeout, .init(file, line: line)), operation)
    }
}
