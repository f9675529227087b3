// Cleanup: the last step of an operation's turn, which runs however the operation ended.

internal import CFutures

/// The last step of an operation's turn, and where it runs.
struct CleanupStep<Resource: Sendable, Value: Sendable>: Sendable {
    typealias Call = @Sendable (Resource, Result<Value, any Error>) throws -> Future<Void>

    let scheduler: Scheduler
    let call: Call
    /// Of an asynchronous operation. Its cleanup starts after `call` has returned.
    var task: Locked<CleanedTask>?

    /// - Parameter scheduler: Where the step runs, unless it belongs to an actor: the operation's scheduler.
    init(
        on scheduler: Scheduler,
        _ call: @escaping @Sendable @isolated(any) (Resource, Result<Value, any Error>) throws -> Future<Void>
    ) {
        self.scheduler = call.isolation == nil ? scheduler : .inferred(from: call.isolation)
        let call = PairFollowing(.isolated(call)).call
        self.call = Recording.isCarrying ? Self.carrying(call) : call
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

/// One run of an operation with a cleanup. It is what the operation's node keeps, and holds the turn until the cleanup
/// is complete.
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
final class Cleanup<Resource: Sendable, Value: Sendable>: EndedEarly {
    private let resource: Resource
    private let step: CleanupStep<Resource, Value>
    private let turn: Turn
    /// What else ends with the operation's future: a timer, or a batch.
    private let companion: (any Disposable)?
    /// Of a batch that ends early: completes when its queue is empty.
    private let drained: Future<Void>?
    private let line: Line
    /// Of an operation of a key.
    private let lane: Lane?
    private let origin: FutureError.SourceLocation
    /// Of a pool: the resource, which is closed after a failed cleanup.
    private let lent: PooledResource?
    private let state = Locked(CleanupState<Value>())

    init(
        _ resource: Resource, _ step: CleanupStep<Resource, Value>, of node: LineNode, keeping turn: Turn,
        ending companion: (any Disposable)? = nil, after drained: Future<Void>? = nil, lent: PooledResource? = nil
    ) {
        self.resource = resource
        self.step = step
        self.turn = turn
        self.companion = companion
        self.drained = drained
        line = node.line
        lane = node.lane
        origin = node.origin
        self.lent = lent
    }

    /// Calls `operation`, whose own future is `node`, and returns a future of its result that completes after the
    /// cleanup.
    ///
    /// `end` returns a future that completes when everything that belongs to the operation has completed.
    func run(
        _ node: Node, _ operation: () throws -> Future<Value>, end: (Future<Value>) -> Future<Value> = { $0 }
    ) -> Future<Value> {
        guard state.withLock({ $0.call() }) else {
            turn.release()
            return Future(error: CancellationError())
        }
        let future: Future<Value>
        do {
            let returned = try operation()
            // Behind the steps of a cleanup, the node would not notice.
            future = returned.node.isLinked(to: node) ? Future(error: FutureError.awaitsItself) : returned
        } catch {
            future = Future(error: error)
        }
        let hasEnded = state.withLock { $0.hasReturned(future) }
        let last = end(future.completingWithContained)
        if hasEnded {
            node.holdingItsTurns {
                _ = last.node.cancel(before: ClosureJob(.following) { [self] in watch(future) })
            }
            return Future(error: CancellationError())
        }
        return stepThatCleans(after: last)
    }

    /// A step that starts the cleanup when `last` has completed. If the operation's future ends early, the step is
    /// cancelled, and what the operation has returned is watched instead.
    private func stepThatCleans(after last: Future<Value>) -> Future<Value> {
        Future(
            node: .step(from: last.node, on: .inPlace, [.results, .cancels, .afterDisposal], Closure()) {
                [self] node, call in
                if call == .cancelled {
                    if let future = state.withLock({ $0.leave() }) { watch(future) }
                } else if node.tryBegin() {
                    let result = node.arrived.result(as: Value.self)
                    node.follow { clean(after: result) }
                }
            })
    }

    /// The operation's future completes by itself, with the result that `run` returned.
    func dispose() {
        companion?.dispose()
        state.withLock { $0.close() }
    }

    func end(with error: any Error) {
        companion?.dispose()
        step.task?.withLock { $0.endError = error }
        let watched = state.withLock { $0.end(with: error) }
        // Behind the callbacks of the operation's future.
        if let watched { ThreadState.here.serveNext(JobList(ClosureJob(.following) { [self] in watch(watched) })) }
    }

    /// Starts the cleanup once `future` has completed, even if that has other listeners. Starts it immediately if `future`
    /// is `Future.never`, or waits for an operation behind this one, which needs this turn.
    private func watch(_ future: Future<Value>) {
        let isEndless = future.node.traits.contains(.never)
        if isEndless || state.withLock({ $0.isDeadlocked }) || (try? check(future)) == nil { return cleanEarly() }
        future.whenOver { [self] in cleanEarly() }
    }

    /// Starts the cleanup, of a batch once its queue is empty.
    private func cleanEarly() {
        guard let drained else { return _ = clean(after: .failure(CancellationError())) }
        _ = Node.listener(to: drained.node) { [self] _ in _ = clean(after: .failure(CancellationError())) }
    }

    /// Starts the cleanup, once; returns a future of the operation's result that completes after it.
    private func clean(after result: Result<Value, any Error>) -> Future<Value> {
        guard let future = state.withLock({ $0.start() }) else { return Future(error: CancellationError()) }
        withExtendedLifetime(future) {}
        let end = Future<Void>().step(on: step.scheduler, .values) { [self] _ in
            // Asked here, because the operation's future may have ended while this waited for its scheduler.
            let future = try step.call(resource, result.unlessEnded(with: state.withLock { $0.endError }))
            do { try check(future) } catch {
                future.cancel()
                throw error
            }
            return .future(future)
        }
        // Its own listener, before all others: so the turn is given back, and no cancel reaches the cleanup.
        _ = Node.listener(to: end.node) { [self] in finish($0.child.failure, after: result) }
        // If the operation's future has ended, it does not get this one's result.
        return end.step(on: .inPlace, .results) { outcome in
            if case .success = result, case .failure(let error) = outcome { return .error(error) }
            return .result(result)
        }
    }

    /// Fails if what the operation or the cleanup has returned waits for the turn that it has.
    private func check(_ future: Future<some Sendable>) throws {
        try line.check(future.node, awaitedInTurnOf: lane, origin)
    }

    private func finish(_ error: (any Error)?, after result: Result<Value, any Error>) {
        let hasSucceeded = if case .success = result { true } else { false }
        let handler = error == nil ? nil : line.cleanupHandler
        let isTold = state.withLock { $0.finish(hasSucceeded: hasSucceeded) }
        guard let error else { return turn.release() }
        line.report(error, to: handler, isTold: isTold) { [turn, lent, line] in
            if let lent { line.state.withLock { _ in lent.isSpoilt = true } }
            turn.release()
        }
    }
}

// A handler is user code, and so is the description of an error. A cleanup may complete in the middle of an abort, before
// other operations have been failed: so both are called by jobs that count as callbacks.
extension Line {
    /// Calls the handler with the error of a cleanup; without one, has the error written to the standard error stream,
    /// unless a future reports it. `release` gives back the turn, after the handler. To be called by a job, at its end.
    fileprivate func report(
        _ error: any Error, to handler: (@Sendable (any Error) -> Void)?, isTold: Bool,
        release: @escaping @Sendable () -> Void
    ) {
        if let handler {
            let call = ClosureJob(.callback) {
                handler(error)
                release()
            }
            return ThreadState.here.serveNext(JobList(call))
        }
        if !isTold {
            let write = ClosureJob(.callback) {
                cfutures_write_error(
                    "Futures: the cleanup of an operation failed, and no future reports it. The resource may be in use or "
                        + "unclean; set onCleanupFailure to be told. The error is: \(error)\n")
            }
            ThreadState.here.serveNext(JobList(write))
        }
        release()
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
