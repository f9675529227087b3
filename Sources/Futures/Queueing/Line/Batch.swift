// Batch: the queue of a batch, and how long that keeps its turn.

internal import Synchronization

extension QueueCore {
    @usableFromInline
    func enqueueBatch<T: Sendable>(
        on scheduler: Scheduler, _ limits: LineLimits, _ options: QueueOptions,
        _ operation: @escaping @Sendable (FutureQueue<Resource>) throws -> Future<T>,
        finally cleanup: (@Sendable @isolated(any) (Resource, Result<T, any Error>) throws -> Future<Void>)?
    ) -> Future<T> {
        if let cleanup {
            return enqueueBatch(on: scheduler, limits, options, operation, finally: CleanupStep(on: scheduler, cleanup))
        }
        let node = LineNode(in: line, nil, on: scheduler, options) { [self] node, _ in
            let node = node.lineNode
            node.takeTurn(T.self) {
                let batch = Batch(
                    keeping: line.turn(of: node), batchQueue(limits), timer: node.timeLimits?.runningTimer(of: node))
                node.keepFromNowOn(batch)
                return batch.run(for: node, operation)
            }
        }
        node.enqueue()
        return Future(node: node)
    }

    /// Enqueues a batch whose turn lasts until its cleanup is complete, which starts when the batch's queue is empty.
    func enqueueBatch<T: Sendable>(
        on scheduler: Scheduler, _ limits: LineLimits, _ options: QueueOptions,
        _ operation: @escaping @Sendable (FutureQueue<Resource>) throws -> Future<T>,
        finally step: CleanupStep<Resource, T>
    ) -> Future<T> {
        let node = LineNode(in: line, nil, on: scheduler, options) { [self] node, _ in
            let node = node.lineNode
            node.takeTurn(T.self) {
                let drained = Promise<Void>()
                let batch = Batch(
                    keeping: Turn { drained.succeed() }, batchQueue(limits),
                    timer: node.timeLimits?.runningTimer(of: node))
                let cleanup = Cleanup(
                    resource, step, keeping: line.turn(of: node), ending: batch, after: drained.future,
                    check: line.cleanupCheck(of: node, node.origin), failure: CleanupFailure(line: line))
                node.keepFromNowOn(cleanup)
                return cleanup.run(node, { try operation(batch.queue) }, end: { batch.end(after: $0) })
            }
        }
        node.enqueue()
        return Future(node: node)
    }

    /// Enqueues a batch whose closure is also called with its turn, which lasts until that is released.
    func enqueueBatchWithTurn<T: Sendable>(
        on scheduler: Scheduler, _ limits: LineLimits, _ options: QueueOptions,
        _ operation: @escaping @Sendable (FutureQueue<Resource>, Turn) throws -> Future<T>
    ) -> Future<T> {
        return TurnSource(self).enqueueWithTurn(on: scheduler, options) { [self] _, turn in
            let share = turn.share()
            let batch = Batch(keeping: turn, batchQueue(limits))
            return batch.run { try operation($0, share) }.always(on: .inPlace) { batch.dispose() }
        }
    }
}

extension QueueCore {
    /// A queue for a batch, with the same resource, which reports failed cleanups as this one does.
    func batchQueue(_ limits: LineLimits) -> FutureQueue<Resource> {
        let queue = FutureQueue(resource, limits, named: line.name.ofBatch, executeOn: executeOn)
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
    private let turn: Turn
    /// The time limit of the batch.
    private let timer: Disposer?
    private let isDisposed = Atomic<Bool>(false)

    init(keeping turn: Turn, _ queue: FutureQueue<Resource>, timer: Disposer? = nil) {
        self.queue = queue
        self.turn = turn
        self.timer = timer
    }

    deinit { dispose() }

    /// A future with the result of the one that `operation` returns, once that, and the future in its value if there is
    /// one, has completed, and the queue is empty and closed.
    func run<T: Sendable>(
        for node: Node? = nil, _ operation: (FutureQueue<Resource>) throws -> Future<T>
    ) -> Future<T> {
        var future: Future<T>
        do { future = try operation(queue) } catch { future = Future(error: error) }
        // Behind what a batch waits for, the node would not notice.
        if let node, future.node.isLinked(to: node) { future = Future(error: FutureError.awaitsItself) }
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
