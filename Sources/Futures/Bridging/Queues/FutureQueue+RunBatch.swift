// runBatch: asynchronous operations with a queue of their own.

extension FutureQueue {
    /// Runs an asynchronous closure with a queue of its own, which has the same resource, for operations that belong
    /// together.
    ///
    /// The turn lasts until the task has completed and the batch's queue is empty; that queue is closed then. If the
    /// closure throws, the operations that wait in the batch's queue fail with that error, and those that run continue.
    /// Cancelling the future completes it immediately, cancels the task and the operations in the batch's queue, and
    /// closes that. A repetition has a new queue.
    ///
    /// - Parameters:
    ///   - maxConcurrentCount: The maximum number of the batch's operations that run concurrently.
    ///   - options: The priority and the time limits.
    ///   - file: The file that errors, reports and the trap name.
    ///   - line: The line that errors, reports and the trap name.
    ///   - operation: Called with the batch's queue when its turn has come, in a task that is created here.
    ///   - cleanup: The last step of the turn, once the batch's queue is empty.
    /// - Returns: A future of what `operation` returns or throws.
    /// - Precondition: `maxConcurrentCount` is at least 1.
    @_alwaysEmitIntoClient @discardableResult
    public func runBatch<T: Sendable>(
        maxConcurrentCount: Int = 1, with options: TurnOptions = .init(), file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) (FutureQueue) async throws -> T,
        @_inheritActorContext finally cleanup: (
            @Sendable @isolated(any) (Resource, Result<T, any Error>) async throws -> Void
        )? = nil
    ) -> Future<T> {
        core.runBatchTask(
            on: operation.isolation == nil ? core.executeOn : nil,
            LineLimits(maxConcurrentCount, file: file, line: line),
            QueueOptions(options, .init(file, line: line)), operation, finally: cleanup)
    }
}

extension TurnsOnScheduler {
    /// Runs an asynchronous closure with a queue of its own: see
    /// ``FutureQueue/runBatch(maxConcurrentCount:with:file:line:_:finally:)``.
    @_alwaysEmitIntoClient @discardableResult
    public func runBatch<Resource: Sendable, T: Sendable>(
        maxConcurrentCount: Int = 1, with options: TurnOptions = .init(), file: StaticString = #fileID,
        line: UInt = #line,
        _ operation: @escaping @Sendable (FutureQueue<Resource>) async throws -> T,
        finally cleanup: (@Sendable (Resource, Result<T, any Error>) async throws -> Void)? = nil
    ) -> Future<T> where Giver == FutureQueue<Resource> {
        giver.core.runBatchTask(
            on: scheduler, LineLimits(maxConcurrentCount, file: file, line: line),
            QueueOptions(options, .init(file, line: line)), operation, finally: cleanup)
    }
}

extension QueueCore {
    @usableFromInline
    func runBatchTask<T: Sendable>(
        on executor: Scheduler?, _ limits: LineLimits, _ options: QueueOptions,
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue<Resource>) async throws -> T,
        finally cleanup: (@Sendable @isolated(any) (Resource, Result<T, any Error>) async throws -> Void)?
    ) -> Future<T> {
        guard let cleanup else {
            return queued(on: executor, operation) { [self] operation in
                enqueueBatchWithTurn(on: .starting(for: executor), limits, options, operation)
            }
        }
        return queued(on: executor, operation, finally: { try await cleanup($0, $1) }) { [self] operation, step in
            enqueueBatch(on: .starting(for: executor), limits, options, operation, finally: step)
        }
    }
}
