// Batch: the queue of a batch, and how long that keeps its turn.

internal import Synchronization

extension QueueCore {
    @usableFromInline
    func enqueueBatch<T: Sendable>(
        on scheduler: Scheduler, _ limits: LineLimits, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ operation: @escaping @Sendable (FutureQueue<Resource>) throws -> Future<T>,
        finally cleanup: (@Sendable @isolated(any) (Resource, Result<T, any Error>) throws -> Future<Void>)?
    ) -> Future<T> {
        let step = cleanup.map { CleanupStep(on: scheduler, $0) }
        return enqueueBatch(on: scheduler, limits, options, origin, finally: step) { try operation($0.queue) }
    }

    /// Enqueues a batch. With a cleanup its turn lasts until that is complete, which starts when the batch's queue is
    /// empty.
    func enqueueBatch<T: Sendable>(
        on scheduler: Scheduler, _ limits: LineLimits, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        finally step: CleanupStep<Resource, T>? = nil,
        _ operation: @escaping @Sendable (Batch<Resource>) throws -> Future<T>
    ) -> Future<T> {
        TurnSource(self).add(on: scheduler, options, origin) { [self] node, _ in
            let node = node.lineNode
            node.takeTurn(T.self) {
                let (turn, timer) = (line.turn(of: node), node.timeLimits?.runningTimer(of: node))
                guard let step else {
                    let batch = Batch(keeping: turn, batchQueue(limits), timer: timer)
                    node.keepFromNowOn(batch)
                    return batch.run(for: node) { try operation(batch) }
                }
                let drained = Promise<Void>()
                let batch = Batch(keeping: Turn { drained.succeed() }, batchQueue(limits), timer: timer)
                let cleanup = Cleanup(held!, step, of: node, keeping: turn, ending: batch, after: drained.future)
                node.keepFromNowOn(cleanup)
                return cleanup.run(node, { try operation(batch) }, end: { batch.end(after: $0) })
            }
        }
    }
}

extension QueueCore {
    @usableFromInline
    func runBatchTask<T: Sendable>(
        on executor: Scheduler?, _ limits: LineLimits, _ options: TurnOptions,
        _ origin: FutureError.SourceLocation,
        _ operation: @escaping @Sendable @isolated(any) (FutureQueue<Resource>) async throws -> T,
        finally cleanup: (@Sendable @isolated(any) (Resource, Result<T, any Error>) async throws -> Void)?
    ) -> Future<T> {
        guard let cleanup else {
            return queued(on: executor, operation) { [self] operation in
                enqueueBatch(on: .starting(for: executor), limits, options, origin) {
                    try operation($0.queue, $0.turn.share())
                }
            }
        }
        return queued(on: executor, operation, finally: { try await cleanup($0, $1) }) { [self] operation, step in
            enqueueBatch(on: .starting(for: executor), limits, options, origin, finally: step) {
                try operation($0.queue)
            }
        }
    }
}

extension QueueCore {
    /// A queue for a batch, with the same resource, which reports failed cleanups as this one does.
    func batchQueue(_ limits: LineLimits) -> FutureQueue<Resource> {
        let queue = FutureQueue(held!, limits, named: line.name.ofBatch, executeOn: executeOn)
        if let handler = line.cleanupHandler { queue.core.line.setCleanupHandler(handler) }
        return queue
    }
}

/// The queue of a batch that has its turn; disposed when the batch has a result.
///
/// Mostly its queue is empty by then. If the batch was cancelled or given up it may not be: then it keeps the turn of
/// the batch until it is.
final class Batch<Resource: Sendable>: EndedEarly {
    let queue: FutureQueue<Resource>
    /// The turn of the batch, which lasts until its shares are released, too.
    let turn: Turn
    /// The time limit of the batch.
    private let timer: Disposer?
    private let isDisposed = Atomic<Bool>(false)

    init(keeping turn: Turn, _ queue: FutureQueue<Resource>, timer: Disposer?) {
        self.queue = queue
        self.turn = turn
        self.timer = timer
    }

    deinit { dispose() }

    /// A future with the result of the one that `operation` returns, once that, and the future in its value if there is
    /// one, has completed, and the queue is empty and closed.
    func run<T: Sendable>(for node: Node, _ operation: () throws -> Future<T>) -> Future<T> {
        var future: Future<T>
        do { future = try operation() } catch { future = Future(error: error) }
        // Behind what a batch waits for, the node would not notice.
        if future.node.isLinked(to: node) { future = Future(error: FutureError.awaitsItself) }
        return end(after: future.completingWithContained)
    }

    /// A future with the result of `future`, once the queue is empty and closed.
    func end<T: Sendable>(after future: Future<T>) -> Future<T> {
        let line = queue.core.line
        return future.step(on: .inPlace, .results) { result in
            switch result {
            case .success: line.end(with: QueueError.closed)
            case .failure(let error): line.abort(with: error, closing: true, onlyWaiting: true)
            }
            return .future(line.emptiness().step(on: .inPlace, .results) { _ in .result(result) })
        }
    }

    func end(with error: any Error) { dispose() }

    func dispose() {
        guard !isDisposed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        timer?.dispose()
        let (turn, queue) = (turn, queue)
        queue.core.line.abort(with: CancellationError(), closing: true)
        guard !queue.isEmpty else { return turn.release() }
        // The listener retains the queue, so that an abort of the outer queue reaches it.
        _ = Node.listener(to: queue.drained().node) { _ in withExtendedLifetime(queue) { turn.release() } }
    }
}
