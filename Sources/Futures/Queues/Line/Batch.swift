// Batch: an operation with a queue of its own, which keeps its turn until that queue is empty.

extension QueueCore {
    /// Enqueues a batch.
    @usableFromInline
    func enqueueBatch<T: Sendable>(
        on scheduler: Scheduler, _ limits: LineLimits, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ operation: @escaping @Sendable (FutureQueue<Resource>) throws -> Future<T>,
        finally step: CleanupStep<Resource, T>?
    ) -> Future<T> {
        TurnSource(self).enqueue(
            on: scheduler, options, origin,
            { [self] resource in
                let name = LineName(kind: "a batch of FutureQueue", label: line.name.label, origin: line.name.origin)
                return FutureQueue(resource, limits, named: name, executeOn: executeOn).run(batch: operation)
            }, finally: step)
    }

    @usableFromInline
    func runBatchTask<T: Sendable>(
        on executor: Scheduler, _ limits: LineLimits, _ options: TurnOptions,
        _ origin: FutureError.SourceLocation,
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue<Resource>) async throws -> T,
        finally cleanup: (@Sendable @isolated(any) (Resource, Result<T, any Error>) async throws -> Void)?
    ) -> Future<T> {
        queued(on: executor, operation, finally: cleanup) { [self] operation, step in
            enqueueBatch(on: .starting(for: executor), limits, options, origin, operation, finally: step)
        }
    }
}

extension FutureQueue {
    /// Calls `operation` with this queue, which is that of a batch. Returns a future of the result that completes when the
    /// queue is empty and closed. If it is cancelled, the turn of the batch lasts until the queue is empty, too.
    fileprivate func run<T: Sendable>(batch operation: (FutureQueue) throws -> Future<T>) -> Future<T> {
        let future: Future<T>
        do { future = try operation(self).completingWithContained } catch { future = Future(error: error) }
        return future.step(on: .inPlace, .results) { [self] result in
            if case .failure(let error) = result {
                line.close(with: error)
                line.abort(with: error, onlyWaiting: true)
            }
            return .future(closing(with: result))
        }.onCancel(on: .inPlace) { [self] in
            line.close(with: CancellationError())
            cancelAll()
            let unfinished = ThreadState.here.unfinished?.hold()
            _ = Node.listener(to: drained().node) { _ in unfinished?.release() }
        }
    }

    private func closing<T: Sendable>(with result: Result<T, any Error>) -> Future<T> {
        drained().step(on: .inPlace, .results) { [self] _ in
            // A callback before this one may have enqueued another operation.
            line.closeIfEmpty(with: QueueError.closed) ? .result(result) : .future(closing(with: result))
        }
    }
}
