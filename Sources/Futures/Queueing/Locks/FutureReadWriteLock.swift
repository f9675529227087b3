// FutureReadWriteLock: any number of readers, or one writer.

/// Lets any number of readers go on at a time, or one writer alone.
///
///     let lock = FutureReadWriteLock()
///     lock.enqueueReading { index.find(word) }                // returns a future
///     lock.withWriterLock { try await index.add(page) }       // asynchronous code
///
/// Fair: everybody has his turn in the order in which they came, so that a reader who comes behind a writer waits for
/// it, and nobody waits for ever. Waiting takes no thread, and can be cancelled.
public final class FutureReadWriteLock: Sendable {
    @usableFromInline let core = QueueCore((), Line(LineLimits(.max)))

    /// Makes a lock that nobody has.
    public init() {}

    deinit { core.line.disown() }

    /// How many wait for the lock, to read or to write.
    public var waitingCount: Int { core.line.state.withLock { $0.waitingCount } }

    /// How many have the lock: readers, or one writer.
    public var takenCount: Int { core.line.state.withLock { $0.runningCount } }

    /// A future of the right to read, which is to be released.
    ///
    /// Without it after `waitingAtMost`, it fails with ``QueueError/waitedTooLong(_:)``.
    public func lockForReading(
        waitingAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Future<Permit> {
        core.line.permit(QueueOptions(.normal, waitingAtMost, nil, .init(file, line: line)))
    }

    /// A future of the right to write, which is to be released.
    ///
    /// Without it after `waitingAtMost`, it fails with ``QueueError/waitedTooLong(_:)``.
    public func lockForWriting(
        waitingAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Future<Permit> {
        core.line.permit(.writing(waitingAtMost, .init(file, line: line)))
    }

    /// Calls `operation` beside other readers, which keeps off writers until the future that it returns is over.
    @inlinable @discardableResult
    public func enqueueReading<T: Sendable>(
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
    public func enqueueReading<T: Sendable>(
        on scheduler: Scheduler, waitingAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        core.enqueue(on: scheduler, QueueOptions(.normal, waitingAtMost, nil, .init(file, line: line)), operation)
    }

    /// Calls `operation` alone, which keeps off all others until the future that it returns is over.
    @inlinable @discardableResult
    public func enqueueWriting<T: Sendable>(
        waitingAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>
    ) -> Future<T> {
        let (scheduler, operation) = isolated(operation)
        return core.enqueue(on: scheduler, .writing(waitingAtMost, .init(file, line: line)), operation)
    }

    /// The same, with `operation` called on `scheduler`.
    @inlinable @discardableResult
    public func enqueueWriting<T: Sendable>(
        on scheduler: Scheduler, waitingAtMost: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        core.enqueue(on: scheduler, .writing(waitingAtMost, .init(file, line: line)), operation)
    }
}
