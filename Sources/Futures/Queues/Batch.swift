// Batches: several operations of a queue as one.

extension FutureQueue {
    /// Enqueues a batch: several operations as one. Its closure is called with a queue of its own, which has the same
    /// resource.
    ///
    ///     queue.enqueueBatch { batch in
    ///         batch.enqueue { file in file.append(header) }
    ///         return batch.enqueue { file in file.append(body) }
    ///     }
    ///
    /// A batch keeps its turn until its future has completed and its queue is empty; then that queue is closed. If the
    /// batch fails, operations that wait in its queue fail with the same error, and those that run continue. If the
    /// batch is cancelled, those are cancelled too. A repetition has a new queue.
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
    public func enqueueBatch<T: Sendable>(
        maxConcurrentCount: Int = 1, with options: TurnOptions = .init(), file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue<Resource>) throws -> Future<T>,
        @_inheritActorContext finally cleanup: (
            @Sendable @isolated(any) (Resource, Result<T, any Error>) throws -> Future<Void>
        )? = nil
    ) -> Future<T> {
        let scheduler = turns.scheduler(of: operation.isolation)
        return enqueueBatch(
            on: scheduler, LineLimits(maxConcurrentCount, file: file, line: line), options, .init(file, line: line),
            Following(.isolated(operation)).call, finally: cleanup.map { cleanupStep(on: scheduler, $0) })
    }

    /// Enqueues a batch, as an operation whose cleanup first waits until the batch's queue is empty.
    @usableFromInline
    package func enqueueBatch<T: Sendable>(
        on scheduler: Scheduler, _ limits: LineLimits, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ operation: @escaping @Sendable (FutureQueue<Resource>) throws -> Future<T>,
        finally step: CleanupStep<Resource, T>?
    ) -> Future<T> {
        turns.add(on: scheduler, options, origin) { [core] node, _ in
            let node = node.lineNode
            node.takeTurn(T.self) {
                let (line, timer) = (core.line, node.timeLimits?.runningTimer(of: node))
                let name = LineName(kind: "a batch of FutureQueue", label: line.name.label, origin: line.name.origin)
                let batch = FutureQueue(core.held!, limits, named: name, executeOn: core.executeOn)
                // When the batch has a result: its queue is empty then, unless the batch was cancelled or given up.
                node.keepFromNowOn {
                    timer?.dispose()
                    batch.line.close(with: CancellationError())
                    batch.cancelAll()
                }
                let whole: CleanupStep<Resource, T> = { resource, result in
                    batch.end(after: result()).flatMap(on: .inPlace) { step?(resource, result) ?? Future() }
                }
                return Cleanup(resource: core.held!, step: whole, node: node, turn: line.turn(of: node)).run {
                    try operation(batch)
                }
            }
        }
    }

    /// Returns a future that succeeds once this queue of a batch with `result` is empty and closed.
    private func end(after result: Result<some Any, any Error>) -> Future<Void> {
        if case .failure(let error) = result {
            line.close(with: error)
            line.abort(with: error, onlyWaiting: true)
        }
        // A callback of the last operation may have enqueued another one, which the queue still has.
        return drained().flatMap(on: .inPlace) { [self] in close() }
    }
}
