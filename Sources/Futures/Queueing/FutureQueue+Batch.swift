// enqueueBatch: several operations as one.

extension FutureQueue {
    /// Enqueues several operations as one: `operation` is called with a queue of its own, which has the same resource.
    ///
    ///     queue.enqueueBatch { batch in
    ///         batch.enqueue { file in file.append(header) }
    ///         return batch.enqueue { file in file.append(body) }
    ///     }
    ///
    /// The batch keeps its turn until its future has completed and its queue is empty; then that queue is closed. If the
    /// batch fails, operations that wait in its queue fail with the same error, and those that run continue. If the batch
    /// is cancelled, those are cancelled too. A repetition has a new queue.
    ///
    /// - Parameters:
    ///   - maxConcurrentCount: The maximum number of the batch's operations that run concurrently.
    ///   - options: The priority and the time limits.
    ///   - file: The file that errors and reports name.
    ///   - line: The line that errors and reports name.
    ///   - operation: Called with the batch's queue, as by ``TurnGiver/enqueue(with:file:line:_:finally:)``.
    ///   - cleanup: The last step of the turn, once the batch's queue is empty.
    /// - Precondition: `maxConcurrentCount` is at least 1.
    @_alwaysEmitIntoClient @discardableResult
    public func enqueueBatch<T: Sendable>(
        maxConcurrentCount: Int = 1, with options: TurnOptions = .init(), file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) (FutureQueue) throws -> Future<T>,
        @_inheritActorContext finally cleanup: (
            @Sendable @isolated(any) (Resource, Result<T, any Error>) throws -> Future<Void>
        )? = nil
    ) -> Future<T> {
        core.enqueueBatch(
            on: turns.scheduler(of: operation.isolation), LineLimits(maxConcurrentCount, file: file, line: line),
            QueueOptions(options, .init(file, line: line)), Following(.isolated(operation)).call, finally: cleanup)
    }
}

extension TurnsOnScheduler {
    /// Enqueues several operations as one: see ``FutureQueue/enqueueBatch(maxConcurrentCount:with:file:line:_:finally:)``.
    @_alwaysEmitIntoClient @discardableResult
    public func enqueueBatch<Resource: Sendable, T: Sendable>(
        maxConcurrentCount: Int = 1, with options: TurnOptions = .init(), file: StaticString = #fileID,
        line: UInt = #line,
        _ operation: @escaping @Sendable (FutureQueue<Resource>) throws -> Future<T>,
        finally cleanup: (@Sendable (Resource, Result<T, any Error>) throws -> Future<Void>)? = nil
    ) -> Future<T> where Giver == FutureQueue<Resource> {
        giver.core.enqueueBatch(
            on: scheduler, LineLimits(maxConcurrentCount, file: file, line: line),
            QueueOptions(options, .init(file, line: line)), operation, finally: cleanup)
    }
}
