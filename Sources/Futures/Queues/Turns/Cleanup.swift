// Cleanup: the last step of an operation's turn, which runs however the operation ended.

/// The last step of an operation's turn. It is called with the resource, and with what returns the result: the
/// operation's future may end before the step needs that.
@usableFromInline
package typealias CleanupStep<Resource, Value> =
    @Sendable (Resource, @escaping @Sendable () -> Result<Value, any Error>) -> Future<Void>

/// Returns a step that calls `cleanup` on its actor or else on `scheduler`, with the task-local values that are bound
/// now: the code that ends the operation early may have others.
@usableFromInline
package func cleanupStep<Resource: Sendable, Value: Sendable>(
    on scheduler: Scheduler,
    _ cleanup: @escaping @Sendable @isolated(any) (Resource, Result<Value, any Error>) throws -> Future<Void>
) -> CleanupStep<Resource, Value> {
    let place = cleanup.isolation == nil ? scheduler : .inferred(from: cleanup.isolation)
    let (call, carried) = (PairFollowing(.isolated(cleanup)).call, Carried.ifAny)
    return { resource, result in
        var future = Future<Void>()
        Carried.with(carried) { future = future.flatMap(on: place) { try call(resource, result()) } }
        return future
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

    /// Calls `operation`, and returns a future of its result that completes after the cleanup.
    func run(_ operation: () throws -> Future<Value>) -> Future<Value> {
        var future = Future.catching(operation)
        // Behind the step, the operation's future would not notice that it waits for itself.
        if future.node.resolved === node { future = Future(error: FutureError.awaitsItself) }
        return Future(
            node: .step(from: future.completingWithContained.node, on: .inPlace, [.results, .cancels], Closure()) {
                [self, future] node, call in
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
    /// is `Future.never`, or if the operation was in a deadlock: then `future` needs this turn.
    private func watch(_ future: Future<Value>) {
        let isDeadlocked = if case .deadlock? = node.failure as? QueueError { true } else { false }
        if isDeadlocked || future.node.traits.contains(.never) { return cleanEarly() }
        future.whenOver { [self] in cleanEarly() }
    }

    private func cleanEarly() { _ = clean(after: .failure(CancellationError())) }

    /// Starts the cleanup when `start` has completed; returns a future of its end.
    private func clean(
        after result: Result<Value, any Error>, behind start: Future<Void> = Future()
    ) -> Future<Void> {
        let end = start.flatMap(on: .inPlace) { [self] in
            step(resource) { [node] in node.failure.map { .failure($0) } ?? result }
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
}

extension Node {
    /// A future of the end of what was stopped with this node; nil if all has ended.
    fileprivate var unfinishedEnd: Future<Void>? {
        guard unfinished != nil else { return nil }
        let end = Promise<Void>()
        whenFinished { end.succeed() }
        return end.future
    }
}
