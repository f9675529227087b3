// Cleanup: the last step of an operation's turn, which runs however the operation ended.

internal import CFutures

/// The last step of an operation's turn, and where it runs.
@usableFromInline
struct CleanupStep<Resource: Sendable, Value: Sendable>: Sendable {
    /// Called with the resource, and with what returns the result: asked as late as possible, because the operation's
    /// future may end meanwhile.
    typealias Call = @Sendable (Resource, @escaping @Sendable () -> Result<Value, any Error>) throws -> Future<Void>

    let scheduler: Scheduler
    let call: Call

    init(on scheduler: Scheduler, call: @escaping Call) {
        self.scheduler = scheduler
        self.call = Recording.isCarrying ? Self.carrying(call) : call
    }

    /// - Parameter scheduler: Where the step runs, unless it belongs to an actor: the operation's scheduler.
    @usableFromInline
    init(
        on scheduler: Scheduler,
        _ call: @escaping @Sendable @isolated(any) (Resource, Result<Value, any Error>) throws -> Future<Void>
    ) {
        let place = call.isolation == nil ? scheduler : .inferred(from: call.isolation)
        let call = PairFollowing(.isolated(call)).call
        self.init(on: place) { try call($0, $1()) }
    }

    /// Has the closure called with the task-local values that are bound here: the code that ends the operation early may
    /// have others.
    private static func carrying(_ call: @escaping Call) -> Call {
        let carried = Carried.ifAny
        return { resource, result in
            var made: Result<Future<Void>, any Error>?
            Carried.with(carried) { made = Result { try call(resource, result) } }
            return try made!.get()
        }
    }
}

/// One run of an operation with a cleanup. It holds the turn until the cleanup is complete.
///
///                 the operation's own future
///                     │ waits for
///                     ▼
///     operation ──► step that starts the cleanup ──► cleanup ──► the result
///         ▲                                             ▲
///         └── watched from when that future ends early ─┘
///
/// If the operation's future is cancelled or fails early, the step leaves the operation, which cancels what has no
/// other listeners. A future that has others continues; so a watcher, which prevents no cancel, starts the cleanup when
/// that future has completed.
final class Cleanup<Resource: Sendable, Value: Sendable>: Sendable {
    private let resource: Resource
    private let step: CleanupStep<Resource, Value>
    /// The operation's own future. While the cleanup is not complete, it has settled only if it has ended early.
    private let node: LineNode
    private let turn: Disposer
    /// Of a batch: its cleanup starts when its queue is empty.
    private let batch: Batch<Resource>?

    init(
        _ resource: Resource, _ step: CleanupStep<Resource, Value>, of node: LineNode, keeping turn: Disposer,
        batch: Batch<Resource>? = nil
    ) {
        self.resource = resource
        self.step = step
        self.node = node
        self.turn = turn
        self.batch = batch
    }

    /// Calls `operation`, and returns a future of its result that completes after the cleanup.
    func run(_ operation: () throws -> Future<Value>) -> Future<Value> {
        let future = node.future(of: operation)
        let whole = future.completingWithContained
        let last = batch?.end(after: whole) ?? whole
        return Future(
            node: .step(from: last.node, on: .inPlace, [.results, .cancels], Closure()) {
                [self] node, call in
                if call == .cancelled {
                    node.whenFinished { self.watch(future) }
                } else if node.tryBegin() {
                    let result = node.arrived.result(as: Value.self)
                    // What has lost a race in the operation may use the resource.
                    let end = node.arrived._withUnsafeGuaranteedRef(\.unfinishedEnd)
                    node.follow {
                        guard let end else { return clean(after: result) }
                        let cleaned = end.flatMap(on: .inPlace) { [self] in clean(after: result) }
                        // A listener, so that no cancel reaches the cleanup.
                        _ = Node.listener(to: cleaned.node) { _ in }
                        return cleaned
                    }
                }
            })
    }

    /// Starts the cleanup once `future` has completed, even if that has other listeners. Starts it immediately if `future`
    /// is `Future.never`, or waits for an operation behind this one, which needs this turn.
    private func watch(_ future: Future<Value>) {
        let isDeadlocked = if case .deadlock? = node.failure as? QueueError { true } else { false }
        if isDeadlocked || future.node.traits.contains(.never) || (try? check(future)) == nil { return cleanEarly() }
        future.whenOver { [self] in cleanEarly() }
    }

    /// Starts the cleanup, of a batch once its queue is empty.
    private func cleanEarly() {
        let result = Result<Value, any Error>.failure(CancellationError())
        guard let batch else { return _ = clean(after: result) }
        batch.dispose()
        _ = Node.listener(to: batch.queue.drained().node) { [self] _ in _ = clean(after: result) }
    }

    /// Starts the cleanup; returns a future of the operation's result that completes after it.
    private func clean(after result: Result<Value, any Error>) -> Future<Value> {
        let end = Future<Void>().step(on: step.scheduler, .values) { [self] _ in
            let future = try step.call(resource) { [node] in node.failure.map { .failure($0) } ?? result }
            do { try check(future) } catch {
                future.cancel()
                throw error
            }
            return .future(future)
        }
        // Its own listener, before all others: so the turn is given back, and no cancel reaches the cleanup.
        _ = Node.listener(to: end.node) { [self] arrival in
            let (end, error) = (arrival.child, arrival.child.failure)
            // Now: next, the operation's future gets this end's error.
            let isTold = if case .success = result { !node.hasSettled } else { false }
            guard end.unfinished != nil else { return finish(error, isTold: isTold) }
            end.whenFinished { self.finish(error, isTold: isTold) }
        }
        // If the operation's future has ended, it does not get this one's result.
        return end.step(on: .inPlace, .results) { outcome in
            if case .success = result, case .failure(let error) = outcome { return .error(error) }
            return .result(result)
        }
    }

    /// Fails if what the operation or the cleanup has returned waits for the turn that it has.
    private func check(_ future: Future<some Sendable>) throws {
        try node.line.check(future.node, awaitedInTurnOf: node.lane, node.origin)
    }

    private func finish(_ error: (any Error)?, isTold: Bool) {
        guard let error else { return turn.dispose() }
        node.line.report(error, isTold: isTold) { [turn, node] in
            node.spoil()
            turn.dispose()
        }
    }
}

extension Node {
    /// Returns the future that `operation` returns, or one of the error that it throws: of an operation whose own future
    /// is this node, which does not notice if it waits for itself behind a step.
    func future<T: Sendable>(of operation: () throws -> Future<T>) -> Future<T> {
        do {
            let future = try operation()
            return future.node.isLinked(to: self) ? Future(error: FutureError.awaitsItself) : future
        } catch {
            return Future(error: error)
        }
    }
}

// A handler is user code, and so is the description of an error. A cleanup may complete in the middle of an abort, before
// other operations have been failed: so both are called by jobs that count as callbacks.
extension Line {
    /// Calls the handler with the error of a cleanup; without one, has the error written to the standard error stream,
    /// unless a future reports it. `release` gives back the turn, after the handler. To be called by a job, at its end.
    fileprivate func report(_ error: any Error, isTold: Bool, release: @escaping @Sendable () -> Void) {
        let handler = cleanupHandler
        let tell = ClosureJob(.callback) {
            guard let handler else {
                return cfutures_write_error(
                    "Futures: the cleanup of an operation failed, and no future reports it. The resource may be in use or "
                        + "unclean; set onCleanupFailure to be told. The error is: \(error)\n")
            }
            handler(error)
            release()
        }
        if handler != nil || !isTold { ThreadState.here.serveNext(JobList(tell)) }
        if handler == nil { release() }
    }

    var cleanupHandler: (@Sendable (any Error) -> Void)? { state.withLock { $0.cleanupHandler } }

    func setCleanupHandler(_ handler: @escaping @Sendable (any Error) -> Void) {
        // The old one is released without the lock.
        let old = state.withLock { state in
            defer { state.cleanupHandler = handler }
            return state.cleanupHandler
        }
        withExtendedLifetime(old) {}
    }
}
