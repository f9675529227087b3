// Cleanup: the last step of an operation's turn, which runs however the operation ended.

/// The last step of an operation's turn, and where it runs.
@usableFromInline
struct CleanupStep<Resource: Sendable, Value: Sendable>: Sendable {
    /// Called with the resource, and with what returns the result: asked as late as possible, because the operation's
    /// future may end meanwhile.
    typealias Call = @Sendable (Resource, @escaping @Sendable () -> Result<Value, any Error>) throws -> Future<Void>

    let scheduler: Scheduler
    let call: Call
    /// The task-local values that are bound where it was made: the code that ends the operation early may have others.
    private let carried = Carried.ifAny

    init(on scheduler: Scheduler, call: @escaping Call) { (self.scheduler, self.call) = (scheduler, call) }

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

    func future(_ resource: Resource, _ result: @escaping @Sendable () -> Result<Value, any Error>) throws -> Future<
        Void
    > {
        var made: Result<Future<Void>, any Error>?
        Carried.with(carried) { made = Result { try call(resource, result) } }
        return try made!.get()
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
struct Cleanup<Resource: Sendable, Value: Sendable>: Sendable {
    let resource: Resource
    let step: CleanupStep<Resource, Value>
    /// The operation's own future. While the cleanup is not complete, it has settled only if it has ended early.
    let node: LineNode
    let turn: Disposer
    /// Of a batch: its cleanup starts when its queue is empty.
    var batch: Batch<Resource>?

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
                    let unfinished = node.arrived._withUnsafeGuaranteedRef(\.unfinishedEnd) ?? Future()
                    node.follow { () -> Future<Value> in
                        // Its error replaces a value, but not an error.
                        clean(after: result, behind: unfinished).step(on: .inPlace, .results) { outcome in
                            if case .success = result, case .failure(let error) = outcome { return .error(error) }
                            return .result(result)
                        }
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

    /// Starts the cleanup when `start` has completed; returns a future of its end.
    private func clean(
        after result: Result<Value, any Error>, behind start: Future<Void> = Future()
    ) -> Future<Void> {
        let end = start.step(on: step.scheduler, .values) { [self] _ in
            let future = try step.future(resource) { [node] in node.failure.map { .failure($0) } ?? result }
            do { try check(future) } catch {
                future.cancel()
                throw error
            }
            return .future(future)
        }
        // Its own listener, before all others: so the turn is given back, and no cancel reaches the cleanup.
        _ = Node.listener(to: end.node) { [self] arrival in
            let end = arrival.child
            if end.failure != nil { node.spoil() }
            guard end.unfinished != nil else { return turn.dispose() }
            end.whenFinished { [turn] in turn.dispose() }
        }
        return end
    }

    /// Fails if what the operation or the cleanup has returned waits for the turn that it has.
    private func check(_ future: Future<some Sendable>) throws {
        try node.line.check(future.node, awaitedInTurnOf: node.lane, node.origin)
    }
}

extension Node {
    /// Returns the future that `operation` returns, or one of the error that it throws: of an operation whose own future
    /// is this node, which does not notice if it waits for itself behind a step.
    func future<T: Sendable>(of operation: () throws -> Future<T>) -> Future<T> {
        do {
            let future = try operation()
            return future.node.resolved === self ? Future(error: FutureError.awaitsItself) : future
        } catch {
            return Future(error: error)
        }
    }
}
