// Batch: the queue of a batch, and how long that keeps its turn.

extension QueueCore {
    /// Enqueues a batch. With a cleanup its turn lasts until that is complete, which starts when the batch's queue is
    /// empty.
    @usableFromInline
    func enqueueBatch<T: Sendable>(
        on scheduler: Scheduler, _ limits: LineLimits, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ operation: @escaping @Sendable (FutureQueue<Resource>) throws -> Future<T>,
        finally step: CleanupStep<Resource, T>?
    ) -> Future<T> {
        TurnSource(self).add(on: scheduler, options, origin) { [self] node, _ in
            let node = node.lineNode
            node.takeTurn(T.self) {
                let turn = line.turn(of: node)
                let name = LineName(kind: "a batch of FutureQueue", label: line.name.label, origin: line.name.origin)
                let queue = FutureQueue(held!, limits, named: name, executeOn: executeOn)
                let batch = Batch(
                    queue, keeping: step == nil ? turn : nil, timer: node.timeLimits?.runningTimer(of: node))
                node.keepFromNowOn(Kept(batch))
                guard let step else {
                    return batch.end(after: node.future { try operation(batch.queue) }.completingWithContained)
                }
                return Cleanup(resource: held!, step: step, node: node, turn: turn, batch: batch).run {
                    try operation(batch.queue)
                }
            }
        }
    }
}

/// The queue of a batch that has its turn; disposed when the batch has a result.
///
/// Mostly its queue is empty by then. If the batch was cancelled or given up it may not be: then it keeps the turn of
/// the batch until it is.
final class Batch<Resource: Sendable>: Disposable {
    let queue: FutureQueue<Resource>
    /// The turn of the batch; nil if its cleanup ends that.
    private let turn: Disposer?
    /// The time limit of the batch.
    private let timer: Disposer?

    init(_ queue: FutureQueue<Resource>, keeping turn: Disposer?, timer: Disposer?) {
        self.queue = queue
        self.turn = turn
        self.timer = timer
    }

    /// A future with the result of `future`, once the queue is empty and closed.
    func end<T: Sendable>(after future: Future<T>) -> Future<T> {
        future.step(on: .inPlace, .results) { [self] result in
            if case .failure(let error) = result {
                queue.line.close(with: error)
                queue.line.abort(with: error, onlyWaiting: true)
            }
            return .future(closing(with: result))
        }
    }

    private func closing<T: Sendable>(with result: Result<T, any Error>) -> Future<T> {
        let line = queue.line
        return line.watcher(.emptiness).step(on: .inPlace, .results) { [self] _ in
            // A callback before this one may have enqueued another operation.
            line.closeIfEmpty(with: QueueError.closed) ? .result(result) : .future(closing(with: result))
        }
    }

    // A second call finds the queue closed, and all that it fails has failed.
    func dispose() {
        timer?.dispose()
        let error: any Error = CancellationError()
        queue.line.close(with: error)
        queue.cancelAll(with: error)
        guard !queue.isEmpty else { return turn?.dispose() ?? () }
        // The listener retains the queue, whose operations keep the turn.
        _ = Node.listener(to: queue.drained().node) { [self] _ in turn?.dispose() }
    }
}
