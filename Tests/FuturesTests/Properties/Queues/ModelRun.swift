// ModelRun: an operation of the model, and each run of it.

import Futures

/// One run of an operation, which waits and runs in the model's queue.
final class ModelRun {
    enum Stage { case outside, waiting, running }

    let queue: ModelQueue
    let operation: ModelOperation
    var lane: Int { operation.lane }
    var stage = Stage.outside
    private(set) var outcome: Outcome?
    /// Whether the operation listens to this run.
    var isHeard = false
    private var isInClosure = false
    /// The promise that the run waits for, once its closure has returned.
    private var source: (promise: ModelPromise, waiter: ModelWaiter)?

    init(_ operation: ModelOperation) {
        self.operation = operation
        queue = operation.queue
    }

    /// Starts the run when it has its turn.
    func begin() {
        guard outcome == nil else { return queue.leave(self) }
        isInClosure = true
        let returned = operation.body()
        isInClosure = false
        switch returned {
        case .value(let value): finish(.value(value))
        case .error(let number), .thrown(let number): finish(.error(number))
        case .never: join(ModelPromise())
        case .promise(let promise): join(promise)
        }
    }

    private func join(_ promise: ModelPromise) {
        if let outcome = promise.outcome { return finish(outcome) }
        if self.outcome != nil {
            // The returned future is cancelled, unless it has other listeners.
            if promise.waiters.isEmpty { promise.outcome = .cancelled }
            return over()
        }
        let waiter = ModelWaiter { [self] outcome in
            source = nil
            finish(outcome)
        }
        source = (promise, waiter)
        promise.waiters.append(waiter)
    }

    /// Completes the run's job.
    private func finish(_ outcome: Outcome) {
        queue.loop.group {
            settle(outcome)
            over()
        }
    }

    private func over() { queue.loop.following { [self] in queue.leave(self) } }

    func settle(_ outcome: Outcome) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        tell()
    }

    func tell() {
        if isHeard { operation.heard(outcome!) }
    }

    /// Fails a run that was waiting when its queue was aborted; false if it has already completed.
    func fail(_ error: Outcome) -> Bool {
        guard outcome == nil else { return false }
        outcome = error
        return true
    }

    /// Cancels the run on behalf of its only listener.
    func cancel() {
        isHeard = false
        guard let isMine = end() else { return }
        queue.loop.urgentFirst { hasEnded(isMine: isMine) }
    }

    /// Ends the run, even if it has listeners. Returns whether its turn must be released afterwards, as no job of
    /// the run does it; nil if the run has already completed.
    func end(_ error: Outcome = .cancelled) -> Bool? {
        guard outcome == nil else { return nil }
        outcome = error
        // Otherwise, its job releases the turn: the closure in progress, or the promise that is notifying its waiters.
        return source.map { $0.promise.leave($0.waiter) } ?? !isInClosure
    }

    /// Calls what follows from the cancellation.
    func hasEnded(isMine: Bool) {
        queue.loop.group {
            tell()
            if isMine { over() }
        }
    }
}

/// An operation with its repetitions, and its listener.
final class ModelOperation {
    let queue: ModelQueue
    let lane: Int
    let body: () -> QueueReturn<ModelPromise>
    private var repeats: Int
    private let isRepeated: Bool
    private var run: ModelRun?
    private var outcome: Outcome?
    private var listener: ((Outcome) -> Void)?
    private var listenerOutcome: Outcome?

    init(_ queue: ModelQueue, lane: Int, repeats: Int, _ body: @escaping () -> QueueReturn<ModelPromise>) {
        self.queue = queue
        self.lane = lane
        self.repeats = repeats
        isRepeated = repeats > 0
        self.body = body
        start()
    }

    /// Enqueues a run, and then listens to it.
    private func start() {
        let run = ModelRun(self)
        self.run = nil
        queue.arrive(run)
        self.run = run
        run.isHeard = true
        if let outcome = run.outcome {
            goOn(after: outcome)
        } else if self.outcome != nil {
            // A cancel in between has not reached the run.
            run.cancel()
        }
    }

    /// Listens to another run, which is enqueued behind the job in progress.
    private func startAgain() {
        let run = ModelRun(self)
        self.run = run
        run.isHeard = true
        queue.loop.following { [queue] in
            if run.outcome == nil { queue.arrive(run) }
        }
    }

    func heard(_ outcome: Outcome) {
        guard isRepeated, !outcome.isValue else { return hear(outcome) }
        // A closure of the user decides whether to repeat.
        queue.loop.callback { self.hear(outcome) }
    }

    private func hear(_ outcome: Outcome) {
        if self.outcome == nil { goOn(after: outcome) }
    }

    private func goOn(after outcome: Outcome) {
        // The run may have cancelled its own repetition.
        guard self.outcome == nil else { return }
        if !outcome.isValue, repeats > 0 {
            repeats -= 1
            return startAgain()
        }
        self.outcome = outcome
        tell()
    }

    func listen(_ callback: @escaping (Outcome) -> Void) {
        listener = callback
        if outcome != nil { tell() }
    }

    private func tell() {
        guard listener != nil else { return }
        queue.loop.callback { [self] in
            guard let outcome, let listener, listenerOutcome == nil else { return }
            listener(outcome)
            if listenerOutcome == nil { listenerOutcome = outcome }
        }
    }

    var endOutcome: Outcome? { listener == nil ? outcome : listenerOutcome }

    func cancel() {
        if listener != nil {
            guard listenerOutcome == nil else { return }
            listenerOutcome = .cancelled
        }
        guard outcome == nil else { return }
        outcome = .cancelled
        run?.cancel()
    }
}

/// The model, on which queue programs run.
final class QueueModel: QueueMachine {
    private let loop = ModelLoop()

    func queue(limit: Int, bound: Int) -> ModelQueue { ModelQueue(limit: limit, bound: bound, loop) }
    func promise() -> ModelPromise { ModelPromise() }
    func complete(_ promise: ModelPromise, _ outcome: Outcome) { promise.complete(outcome) }

    func enqueue(
        _ queue: ModelQueue, _ priority: QueuePriority, repeats: Int,
        _ body: @escaping @Sendable () -> QueueReturn<ModelPromise>
    ) -> ModelOperation {
        let lane = [QueuePriority.high, .normal, .low].firstIndex(of: priority)!
        return ModelOperation(queue, lane: lane, repeats: repeats, body)
    }

    func listen(_ end: ModelOperation, _ callback: @escaping @Sendable (Outcome) -> Void) -> ModelOperation {
        end.listen(callback)
        return end
    }

    func outcome(of end: ModelOperation) -> Outcome? { end.endOutcome }
    func cancel(_ end: ModelOperation) { end.cancel() }
    func abort(_ queue: ModelQueue, closes: Bool) { queue.abort(.error(-3), closes: closes) }
    func close(_ queue: ModelQueue) { queue.close(.error(-1)) }
    func pause(_ queue: ModelQueue) { queue.isPaused = true }

    func resume(_ queue: ModelQueue) {
        queue.isPaused = false
        queue.goOn()
    }

    func drained(_ queue: ModelQueue, _ callback: @escaping @Sendable () -> Void) {
        if queue.isEmpty { return callback() }
        queue.onlookers.append { [loop] in loop.callback(callback) }
    }

    func report(of queue: ModelQueue) -> QueueReport {
        QueueReport(
            waiting: queue.waitingCount, running: queue.runningCount, isClosed: queue.closedError != nil,
            isPaused: queue.isPaused)
    }
}
