// Cleanup: the last step of an operation's turn, which runs however the operation ended.

/// The last step of an operation's turn, and where it runs.
struct CleanupStep<Resource: Sendable, Value: Sendable>: Sendable {
    let scheduler: Scheduler
    let call: @Sendable (Resource, Result<Value, any Error>) throws -> Future<Void>
    /// Of an asynchronous operation. Its cleanup starts after `call` has returned.
    var task: Locked<CleanedTask>?
    /// The values where the operation was enqueued. The code that ends the operation early may have others.
    private let carried = Carried.ifAny

    /// - Parameter scheduler: Where the step runs, unless it belongs to an actor: the operation's scheduler.
    init(
        on scheduler: Scheduler,
        _ call: @escaping @Sendable @isolated(any) (Resource, Result<Value, any Error>) throws -> Future<Void>
    ) {
        let isIsolated = call.isolation != nil
        let (inferred, call) = isolated(call)
        self.scheduler = isIsolated ? inferred : scheduler
        self.call = call
    }
}

extension CleanupStep {
    /// Calls the closure; what that returns is cancelled if `check` throws.
    fileprivate func call(
        _ resource: Resource, _ result: Result<Value, any Error>, checkedBy check: (Node) throws -> Void
    ) throws -> Future<Void> {
        let future = try Carried.with(carried) { try call(resource, result) }
        do { try check(future.node) } catch {
            future.cancel()
            throw error
        }
        return future
    }
}

extension Carried {
    /// Returns what `make` returns where these values are bound.
    // Not in the generic code that uses it, whose closures are larger.
    @inline(never)
    fileprivate static func with(_ carried: Carried?, _ make: () throws -> Future<Void>) throws -> Future<Void> {
        guard Recording.isCarrying else { return try make() }
        var made: Result<Future<Void>, any Error>?
        with(carried) { made = Result(catching: make) }
        return try made!.get()
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
    private let failure: CleanupFailure
    /// Fails if what a cleanup has returned waits for the turn that it has.
    private let check: @Sendable (Node) throws -> Void
    private let state = Locked(CleanupState<Value>())

    /// Makes a cleanup whose errors go to `failure`. `check` throws if what the cleanup has returned waits for the turn
    /// that it has.
    init(
        _ resource: Resource, _ step: CleanupStep<Resource, Value>, keeping turn: Turn,
        ending companion: (any Disposable)? = nil, after drained: Future<Void>? = nil,
        check: @escaping @Sendable (Node) throws -> Void, failure: CleanupFailure
    ) {
        self.resource = resource
        self.step = step
        self.turn = turn
        self.companion = companion
        self.drained = drained
        self.check = check
        self.failure = failure
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

    /// Starts the cleanup once `future` has completed, even if that has other listeners.
    ///
    /// Starts it immediately if `future` is `Future.never`, and if `future` waits for an operation behind this one: that operation needs this turn, and
    /// does not use the resource before it has one.
    private func watch(_ future: Future<Value>) {
        let isEndless = future.node.traits.contains(.never)
        if isEndless || state.withLock({ $0.isDeadlocked }) || (try? check(future.node)) == nil { return cleanEarly() }
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
            .future(try step.call(resource, result.unlessEnded(with: endError), checkedBy: check))
        }
        // Its own listener, before all others: so the turn is given back, and no cancel reaches the cleanup.
        _ = Node.listener(to: end.node) { [self] in finish($0.child.failure, after: result) }
        // If the operation's future has ended, it does not get this one's result.
        return end.step(on: .inPlace, .results) { outcome in
            if case .success = result, case .failure(let error) = outcome { return .error(error) }
            return .result(result)
        }
    }

    private var endError: (any Error)? { state.withLock { $0.endError } }

    private func finish(_ error: (any Error)?, after result: Result<Value, any Error>) {
        let hasSucceeded = if case .success = result { true } else { false }
        let handler = error == nil ? nil : failure.handler
        let isTold = state.withLock { $0.finish(hasSucceeded: hasSucceeded) }
        guard let error else { return turn.release() }
        failure.report(error, to: handler, isTold: isTold) { [turn] in turn.release() }
    }
}
