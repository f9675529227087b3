// QueueBatches: several operations as one.

extension FutureQueue {
    /// Several operations as one: the closure of a batch is called with a queue of its own, which has the same resource.
    ///
    ///     queue.batch.enqueue { batch in
    ///         batch.enqueue { file in file.append(header) }
    ///         return batch.enqueue { file in file.append(body) }
    ///     }
    @inlinable public var batch: QueueBatches<Resource> { QueueBatches(core: core) }
}

/// The batches of a ``FutureQueue``: see ``FutureQueue/batch``.
///
/// A batch keeps its turn until its future has completed and its queue is empty; then that queue is closed. If the
/// batch fails, operations that wait in its queue fail with the same error, and those that run continue. If the batch
/// is cancelled, those are cancelled too. A repetition has a new queue.
public struct QueueBatches<Resource: Sendable>: Sendable {
    @usableFromInline let core: QueueCore<Resource>

    @inlinable
    init(core: QueueCore<Resource>) { self.core = core }

    /// Enqueues a batch whose closure returns a future.
    ///
    /// - Parameters:
    ///   - maxConcurrentCount: The maximum number of the batch's operations that run concurrently.
    ///   - options: The priority, the weight and the time limits of the batch. Its operations have their own.
    ///   - file: The file that errors and reports name.
    ///   - line: The line that errors and reports name.
    ///   - operation: Called with the batch's queue, as by ``TurnGiver/enqueue(with:file:line:_:finally:)``. For
    ///     asynchronous code, it returns a `Future { try await … }`.
    ///   - cleanup: The last step of the turn, once the batch's queue is empty.
    /// - Precondition: `maxConcurrentCount` is at least 1.
    @_alwaysEmitIntoClient @discardableResult
    public func enqueue<T: Sendable>(
        maxConcurrentCount: Int = 1, with options: TurnOptions = .init(), file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue<Resource>) throws -> Future<T>,
        @_inheritActorContext finally cleanup: (
            @Sendable @isolated(any) (Resource, Result<T, any Error>) throws -> Future<Void>
        )? = nil
    ) -> Future<T> {
        let scheduler = TurnSource(core).scheduler(of: operation.isolation)
        return core.enqueueBatch(
            on: scheduler, LineLimits(maxConcurrentCount, file: file, line: line), options, .init(file, line: line),
            Following(.isolated(operation)).call, finally: cleanup.map { CleanupStep(on: scheduler, $0) })
    }
}
