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
