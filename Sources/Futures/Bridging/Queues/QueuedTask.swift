// Queued tasks: asynchronous code that waits for its turn in a queue.

/// A future of what `operation` returns or throws, in a task that begins here, as that of any future does, and waits for
/// its turn in the queue in which `enqueue` enqueues.
///
/// The turn lasts until the task is over: a task that is cancelled may go on for a while, and use the resource.
// A task that began with its turn would have the priority and the task-local values of whoever had the turn before.
func queued<Resource: Sendable, T: Sendable>(
    on executor: Scheduler?, _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T,
    enqueue:
        @escaping @Sendable (_ operation: @escaping @Sendable (Resource, Hold) throws -> Future<T>) -> Future<T>
) -> Future<T> {
    Future<Void>().step(on: .inPlace, .values) { _ in
        let gate = Gate<Resource>()
        let task: @Sendable () async throws -> T = {
            let turn = try await gate.pass()
            defer { turn.hold.letGo() }
            try Task.checkCancellation()
            return try await operation(turn.resource)
        }
        let result = if let executor { Future(on: executor, task: task) } else { Future(task: task) }
        let end = enqueue { resource, hold in
            gate.open(for: Turn(resource: resource, hold: hold))
            return result
        }
        // A task whose turn will not come waits no longer.
        return .future(end.always(on: .inPlace) { result.cancel() })
    }
}

/// The same as `queued`, with a cleanup that runs in a task of its own when the operation's task has returned.
///
/// - Parameter enqueue: Enqueues an operation that returns a future, with a cleanup that returns one.
// The operation's future cannot be cancelled, as it is listened to: so the cleanup starts when the task has returned, and
// not when that was cancelled. The task of the cleanup is not cancelled with that of the operation.
func queued<Resource: Sendable, Cleaned: Sendable, T: Sendable>(
    on executor: Scheduler?, _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T,
    finally cleanup: @escaping @Sendable (Cleaned, Result<T, any Error>) async throws -> Void,
    enqueue:
        @escaping @Sendable (
            _ operation: @escaping @Sendable (Resource) throws -> Future<T>, _ step: CleanupStep<Cleaned, T>
        ) -> Future<T>
) -> Future<T> {
    Future<Void>().step(on: .immediate, .values) { _ in
        let (gate, promise) = (Gate<Resource>(), Promise<T>())
        let isCalled = Locked(false)
        _ = Node.listener(to: promise.future.node) { _ in }
        let task: @Sendable () async throws -> T = {
            let turn = try await gate.pass()
            defer { turn.hold.letGo() }
            do {
                try Task.checkCancellation()
                isCalled.withLock { $0 = true }
                let value = try await operation(turn.resource)
                promise.succeed(value)
                return value
            } catch {
                promise.fail(error)
                throw error
            }
        }
        let result = if let executor { Future(on: executor, task: task) } else { Future(task: task) }
        let step = CleanupStep<Cleaned, T>(on: executor ?? .immediate) { resource, result in
            // A task that gave up before its turn has called nothing, and has nothing to clean up.
            guard isCalled.withLock({ $0 }) else { return Future() }
            let task: @Sendable () async throws -> Void = { try await cleanup(resource, result) }
            return if let executor { Future<Void>(on: executor, task: task) } else { Future<Void>(task: task) }
        }
        let end = enqueue(
            { resource in
                // If the task gives up, it lets go of its turn.
                gate.open(for: Turn(resource: resource, hold: Hold { promise.fail(CancellationError()) }))
                return promise.future
            }, step)
        return .future(end.always(on: .immediate) { result.cancel() })
    }
}

/// A resource, for as long as the hold is kept.
private struct Turn<Resource: Sendable>: Sendable {
    let resource: Resource
    let hold: Hold
}

/// Where a task waits for its turn.
private final class Gate<Resource: Sendable>: Sendable {
    private enum State: Sendable {
        /// Next is `open` or `closed`.
        case fresh
        /// Next is `closed`.
        case open(Turn<Resource>)
        /// The task has passed, or given up.
        case closed
    }

    private let state = Locked(State.fresh)
    private let signal = Promise<Void>()

    /// Lets the task pass. If it has given up, nobody keeps the turn.
    func open(for turn: Turn<Resource>) {
        state.withLock { if case .fresh = $0 { $0 = .open(turn) } }
        signal.succeed()
    }

    /// Waits for the turn; throws if the task is cancelled before it comes.
    func pass() async throws -> Turn<Resource> {
        do {
            try await signal.future.value
            return close()!
        } catch {
            // It may have come at that moment: then it is let go of here.
            _ = close()
            throw error
        }
    }

    private func close() -> Turn<Resource>? {
        state.withLock { state in
            defer { state = .closed }
            return if case .open(let turn) = state { turn } else { nil }
        }
    }
}
