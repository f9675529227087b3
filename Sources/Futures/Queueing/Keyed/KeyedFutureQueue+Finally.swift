// finally: operations of a key that end with a cleanup.

extension KeyedFutureQueue {
    /// Adds an operation of a key with a cleanup, which is the last step of its turn.
    ///
    /// However the operation ends, `cleanup` is called once, inside of its turn: with a value, an error, a cancel, an
    /// abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future completes
    /// after the cleanup. If it is cancelled, aborted or exceeds `runTimeout`, it completes at once; then the
    /// cleanup starts when `operation` has returned and its future has completed, and the turn lasts until the cleanup
    /// is complete. The time of the cleanup counts for `runTimeout`, but nothing cancels the cleanup. If the cleanup
    /// fails, a success becomes that failure; an error stays what it is, and the cleanup's goes to
    /// `onCleanupFailure(_:)`.
    ///
    /// - Parameters:
    ///   - operation: Called when its turn has come.
    ///   - cleanup: Gets the operation's result; the turn lasts until its future completes. A cancel or an abort
    ///     is `.failure(CancellationError())`, a time limit its ``QueueError``.
    @discardableResult
    public func enqueue<T: Sendable>(
        for key: Key, priority: QueuePriority = .normal, waitTimeout: Duration? = nil, runTimeout: Duration? = nil,
        file: StaticString = #fileID,
        line lineNumber: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: lineNumber))
        let (scheduler, operation) = isolated(operation)
        return core.enqueue(
            on: scheduler, options, in: core.line.lane(of: key), operation,
            finally: CleanupStep(on: scheduler, cleanup))
    }

    /// Adds an operation of a key with a cleanup, which is the last step of its turn.
    ///
    /// However the operation ends, `cleanup` is called once, inside of its turn: with a value, an error, a cancel, an
    /// abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The future completes
    /// after the cleanup. If it is cancelled, aborted or exceeds `runTimeout`, it completes at once; then the
    /// cleanup starts when `operation` has returned and its future has completed, and the turn lasts until the cleanup
    /// is complete. The time of the cleanup counts for `runTimeout`, but nothing cancels the cleanup. If the cleanup
    /// fails, a success becomes that failure; an error stays what it is, and the cleanup's goes to
    /// `onCleanupFailure(_:)`. Both closures are called on `scheduler`.
    ///
    /// - Parameters:
    ///   - operation: Called when its turn has come.
    ///   - cleanup: Gets the operation's result; the turn lasts until its future completes. A cancel or an abort
    ///     is `.failure(CancellationError())`, a time limit its ``QueueError``.
    @discardableResult
    public func enqueue<T: Sendable>(
        on scheduler: Scheduler, for key: Key, priority: QueuePriority = .normal, waitTimeout: Duration? = nil,
        runTimeout: Duration? = nil,
        file: StaticString = #fileID, line lineNumber: UInt = #line,
        _ operation: @escaping @Sendable () throws -> Future<T>,
        finally cleanup: @escaping @Sendable (Result<T, any Error>) throws -> Future<Void>
    ) -> Future<T> {
        let options = QueueOptions(priority, waitTimeout, runTimeout, .init(file, line: lineNumber))
        return core.enqueue(
            on: scheduler, options, in: core.line.lane(of: key), operation,
            finally: CleanupStep(on: scheduler, cleanup))
    }
}
