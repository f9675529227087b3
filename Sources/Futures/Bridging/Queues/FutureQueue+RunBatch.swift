// batch.run: asynchronous operations with a queue of their own.

extension QueueBatches {
    /// Runs an asynchronous closure with a queue of its own, as ``enqueue(maxConcurrentCount:with:file:line:_:finally:)``
    /// does one that returns a future, in a task as that of ``TurnGiver/run(with:file:line:_:finally:)``.
    ///
    /// The turn lasts until the task has completed and the batch's queue is empty.
    @_alwaysEmitIntoClient @discardableResult
    public func run<T: Sendable>(
        maxConcurrentCount: Int = 1, with options: TurnOptions = .init(), file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) (FutureQueue<Resource>) async throws -> T,
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
