// ModelRun: an operation of the model, and each run of it.

import Futures

/// One run of an operation, which waits and runs in the model's queue.
final class ModelRun {
    enum Stage { case outside, waiting, running }

    let queue: ModelQueue
    let operation: ModelOperation
    var lane: Int { operation.lane }
    var weight: Int { operation.weight }
    var stage = Stage.outside
    private(set) var outcome: Outcome?
    /// Whether the operation listens to this run.
    var isHeard = false
    private var isInClosure = false
    /// The promise that the run waits for, once its closure has returned.
    private var source: ModelPromise?

    init(_ operation: ModelOperation) {
        self.operation = operation
        queue = operation.queue
    }

    func begin() {
        guard outcome == nil else { return queue.leave(self) }
        isInClosure = true
        let promise = try! operation.body()
        isInClosure = false
        if let outcome = promise.outcome { return finish(outcome) }
        if outcome != nil {
            // The returned future is cancelled, unless it has other listeners.
            if promise.waiters.isEmpty { promise.outcome = .cancelled }
            return queue.loop.add([end])
        }
        source = promise
        promise.waiters.append(self)
    }

    /// The job of a run whose promise has completed.
    var wakeUp: ModelLoop.Job {
        .init(self.outcome == nil ? .urgent : .following) { [self] in
            let outcome = source?.outcome
            source = nil
            if self.outcome == nil { finish(outcome!) } else { queue.leave(self) }
        }
    }

    /// Completes the run at the end of its job.
    private func finish(_ outcome: Outcome) { queue.loop.add(settle(outcome) + [end]) }

    private var end: ModelLoop.Job { .init(.following) { [self] in queue.leave(self) } }

    /// Completes the run. Returns the job of its listener.
    func settle(_ outcome: Outcome) -> [ModelLoop.Job] {
        guard self.outcome == nil else { return [] }
        self.outcome = outcome
        return isHeard ? [operation.job(hearing: outcome)] : []
    }

    /// Cancels the run on behalf of its only listener.
    func cancel() {
        isHeard = false
        queue.loop.serve(end(.cancelled))
    }

    /// Ends the run, even with listeners. Returns the job of its listener, and of its end unless another job has that.
    func end(_ error: Outcome) -> [ModelLoop.Job] {
        guard outcome == nil else { return [] }
        let listener = settle(error)
        // Otherwise, its job ends the turn: the closure in progress, or the promise that is notifying its waiters.
        let isMine = source.map { $0.leave(self) } ?? !isInClosure
        return listener + (isMine ? [end] : [])
    }
}

/// An operation with its repetitions, and its listener.
final class ModelOperation {
    let queue: ModelQueue
    let lane: Int
    let weight: Int
    let body: () throws -> ModelPromise
    private var repeats: Int
    private let isRepeated: Bool
    private var run: ModelRun?
    private var outcome: Outcome?
    private var listener: ((Outcome) -> Void)?
    private var listenerOutcome: Outcome?

    init(_ queue: ModelQueue, lane: Int, weight: Int, repeats: Int, _ body: @escaping () throws -> ModelPromise) {
        self.queue = queue
        self.lane = lane
        self.weight = weight
        self.repeats = repeats
        isRepeated = repeats > 0
        self.body = body
        start()
    }

    /// Enqueues a run, and then listens to it.
    private func start() {
        let run = ModelRun(self)
        self.run = run
        queue.arrive(run)
        run.isHeard = true
        if let outcome = run.outcome { queue.loop.serve([job(hearing: outcome)]) }
    }

    /// Listens to another run, which is enqueued behind the job in progress.
    private func startAgain() {
        let run = ModelRun(self)
        self.run = run
        run.isHeard = true
        queue.loop.add([.init(.following) { [queue] in if run.outcome == nil { queue.arrive(run) } }])
    }

    /// The job of the listener to a run. A closure of the user decides whether to repeat.
    func job(hearing outcome: Outcome) -> ModelLoop.Job {
        .init(self.outcome == nil && self.isRepeated && !outcome.isValue ? .callback : .urgent) { [self] in
            guard self.outcome == nil else { return }
            if !outcome.isValue, repeats > 0 {
                repeats -= 1
                return startAgain()
            }
            self.outcome = outcome
            queue.loop.add(tell())
        }
    }

    func listen(_ callback: @escaping (Outcome) -> Void) {
        listener = callback
        if outcome != nil { queue.loop.serve(tell()) }
    }

    private func tell() -> [ModelLoop.Job] {
        guard let listener, let outcome else { return [] }
        return [
            .init(self.listenerOutcome == nil ? .callback : .urgent) { [self] in
                guard listenerOutcome == nil else { return }
                listener(outcome)
                if listenerOutcome == nil { listenerOutcome = outcome }
            }
        ]
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

final class QueueModel: QueueMachine {
    private let loop = ModelLoop()

    func queue(limit: Int, bound: Int) -> ModelQueue { ModelQueue(limit: limit, bound: bound, loop) }
    func promise() -> ModelPromise { ModelPromise() }
    func complete(_ promise: ModelPromise, _ outcome: Outcome) { promise.complete(outcome, in: loop) }

    func enqueue(
        _ queue: ModelQueue, _ priority: QueuePriority, weight: Int, repeats: Int,
        _ body: @escaping @Sendable () throws -> ModelPromise
    ) -> ModelOperation {
        let lane = [QueuePriority.high, .normal, .low].firstIndex(of: priority)!
        return ModelOperation(queue, lane: lane, weight: weight, repeats: repeats, body)
    }

    func returned(_ ending: QueueBody.Ending, _ id: Int, _ promise: (Int) -> ModelPromise) -> ModelPromise {
        switch ending {
        case .value: ModelPromise(.value(id))
        case .error, .thrown: ModelPromise(.error(id))
        case .never: ModelPromise()
        case .promise(let index): promise(index)
        }
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
        loop.serve(queue.jobs())
    }

    func drained(_ queue: ModelQueue, _ callback: @escaping @Sendable () -> Void) {
        let job = ModelLoop.Job(.callback, callback)
        if queue.isEmpty { loop.serve([job]) } else { queue.onlookers.append(job) }
    }

    func report(of queue: ModelQueue) -> QueueReport {
        QueueReport(queue.waitingCount, queue.runningCount, queue.closedError != nil, queue.isPaused)
    }
}
