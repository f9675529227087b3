// ModelBatch: the queue of a batch in the model of queues.

/// The queue of a running batch.
final class ModelBatch {
    private let queue: ModelQueue
    private unowned let run: ModelRun
    private var isDisposed = false
    /// Whether the batch keeps its turn after its future has completed.
    private(set) var isHeld = true
    private var onlooker: ModelOnlooker?

    init(_ queue: ModelQueue, of run: ModelRun) {
        self.queue = queue
        self.run = run
    }

    func finish(_ outcome: Outcome) {
        if outcome.isValue { queue.end() } else { queue.abortWaiting(outcome, closes: true) }
    }

    func whenDone(_ body: @escaping () -> Void) {
        if queue.isEmpty { return body() }
        onlooker = ModelOnlooker { [self] in
            onlooker = nil
            body()
        }
        queue.onlookers.append(onlooker!)
    }

    func leaveWait() {
        onlooker?.isGone = true
        onlooker = nil
    }

    func dispose() {
        guard !isDisposed else { return }
        isDisposed = true
        queue.abort(.cancelled, closes: true)
        guard !queue.isEmpty else { return isHeld = false }
        let (run, queue) = (run, run.queue)
        self.queue.onlookers.append(
            ModelOnlooker { [self] in
                if run.stage == .running { isHeld = false } else { queue.giveBack() }
            })
    }
}
