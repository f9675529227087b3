// Queued tasks: asynchronous operations that wait for their turn in a queue.

/// Returns a future of what `operation` returns or throws, in a task that is created here and waits for its turn in the
/// queue to which `enqueue` adds it.
///
/// The turn lasts until the task has completed: a cancelled task may continue for a while, and use the resource.
// A task that is created with its turn would inherit the priority and the task-local values of the previous operation.
func queued<Resource: Sendable, T: Sendable>(
    on executor: Scheduler?, _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T,
    enqueue:
        @escaping @Sendable (_ operation: @escaping @Sendable (Resource, Turn) throws -> Future<T>) -> Future<T>
) -> Future<T> {
    Future<Void>().step(on: .inPlace, .values) { _ in
        let gate = Promise<Admission<Resource>>()
        let task: @Sendable () async throws -> T = {
            let admission = try await gate.admission()
            defer { admission.turn?.release() }
            try Task.checkCancellation()
            return try await AwaitingOperation.run(admission.operation) { try await operation(admission.resource) }
        }
        let result = startTask(on: executor, task)
        let end = enqueue { resource, turn in
            gate.admit(resource, turn)
            return result
        }
        // Resumes the task if its turn will not come.
        return .future(end.always(on: .inPlace) { result.cancel() })
    }
}

private func startTask<T: Sendable>(
    on executor: Scheduler?, _ task: @escaping @Sendable () async throws -> T
) -> Future<T> {
    if let executor { Future(on: executor, task: task) } else { Future(task: task) }
}

extension Scheduler {
    /// Where a task gets its turn that runs on `executor`, and where it starts as a cleanup: that calls no code of
    /// users.
    static func starting(for executor: Scheduler?) -> Scheduler {
        if let executor, executor != .immediate { executor } else { .inPlace }
    }
}

/// Returns a future of what `operation` returns or throws, in a task that is created here and waits for its turn,
/// followed by a cleanup in a task of its own.
///
/// `enqueue` is called with an operation that returns a future, and a cleanup that returns one.
// The future of the operation has a listener and so cannot be cancelled: the cleanup starts when the task has returned,
// and not when it is cancelled. The cleanup's task is not cancelled with that of the operation.
func queued<Resource: Sendable, Cleaned: Sendable, T: Sendable>(
    on executor: Scheduler?, _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T,
    finally cleanup: @escaping @Sendable (Cleaned, Result<T, any Error>) async throws -> Void,
    enqueue:
        @escaping @Sendable (
            _ operation: @escaping @Sendable (Resource) throws -> Future<T>, _ step: CleanupStep<Cleaned, T>
        ) -> Future<T>
) -> Future<T> {
    Future<Void>().step(on: .inPlace, .values) { _ in
        let (gate, promise) = (Promise<Admission<Resource>>(), Promise<T>())
        let state = Locked(CleanedTask())
        _ = Node.listener(to: promise.future.node) { _ in }
        // Its failures are the promise's.
        let task: @Sendable () async -> Void = {
            do {
                let admission = try await gate.admission()
                try Task.checkCancellation()
                state.withLock { $0.isCalled = true }
                let value = try await AwaitingOperation.run(admission.operation) {
                    try await operation(admission.resource)
                }
                promise.succeed(value)
            } catch {
                promise.fail(error)
            }
        }
        let result = startTask(on: executor, task)
        var step = CleanupStep<Cleaned, T>(on: .starting(for: executor)) { resource, result in
            // A task that was cancelled before its turn has not called the operation, so there is nothing to clean up.
            guard state.withLock({ $0.isCalled }) else { return Future() }
            return startTask(on: executor) { try await cleanup(resource, result.unlessEnded(with: state.endError)) }
        }
        step.task = state
        let end = enqueue(
            { resource in
                gate.admit(resource)
                return promise.future
            }, step)
        return .future(end.always(on: .inPlace) { result.cancel() })
    }
}

/// A resource, which the task may use until it releases the turn or, if that is nil, has completed.
private struct Admission<Resource: Sendable>: Sendable {
    let resource: Resource
    let turn: Turn?
    let operation = AwaitingOperation.ofThread
}

extension Promise {
    /// Passes a resource, and the turn for it, to the task. If that has given up, the turn is released here.
    fileprivate func admit<Resource>(_ resource: Resource, _ turn: Turn? = nil) where Value == Admission<Resource> {
        if !succeed(Admission(resource: resource, turn: turn)) { turn?.release() }
    }

    /// Waits for the turn of the task; throws if the task is cancelled first.
    fileprivate func admission<Resource>() async throws -> Value where Value == Admission<Resource> {
        do { return try await future.value } catch {
            // The cancel of the future comes from another thread, and may find the promise released, which would be an
            // event. The turn may have come at the same moment.
            if !fail(error), case .success(let late)? = future.result { late.turn?.release() }
            throw error
        }
    }
}
