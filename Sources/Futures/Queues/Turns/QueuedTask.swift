// Queued tasks: asynchronous operations that wait for their turn in a queue.

/// Returns a future of what `operation` returns or throws, in a task that is created here and waits for its turn in the
/// queue to which `enqueue` adds it, followed by a cleanup in a task of its own.
///
/// With `.immediate` as the executor, the tasks run on the concurrent pool, or where the actor of their closure says.
///
/// The turn lasts until the task has completed: a cancelled task may continue for a while, and use the resource. The
/// cleanup's task is not cancelled with that of the operation.
// A task that is created with its turn would inherit the priority and the task-local values of the previous operation.
func queued<Resource: Sendable, T: Sendable>(
    on executor: Scheduler, _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T,
    finally cleanup: (@Sendable @isolated(any) (Resource, Result<T, any Error>) async throws -> Void)?,
    enqueue:
        @escaping @Sendable (
            _ operation: @escaping @Sendable (Resource) throws -> Future<T>, _ step: CleanupStep<Resource, T>?
        ) -> Future<T>
) -> Future<T> {
    Future<Void>().step(on: .inPlace, .values) { _ in
        let gate = Promise<Admission<Resource>>()
        let isCalled = cleanup.map { _ in Locked(false) }
        let task: @Sendable () async throws -> T = {
            let admission: Admission<Resource>
            do { admission = try await gate.future.value } catch {
                // The cancel of the future comes from another thread, and may find the promise released, which would be
                // an event.
                gate.fail(error)
                throw error
            }
            try Task.checkCancellation()
            isCalled?.withLock { $0 = true }
            guard let recorded = admission.operation else { return try await operation(admission.resource) }
            return try await Recording.recorder!.run(recorded) { try await operation(admission.resource) }
        }
        let result = Future<T>(on: executor, task: task)
        let step = cleanup.map { cleanup in
            cleanupStep(on: .inPlace) { (resource: Resource, result: Result<T, any Error>) in
                // A task that was cancelled before its turn has not called the operation.
                guard isCalled!.withLock({ $0 }) else { return Future() }
                return Future(on: executor, task: { try await cleanup(resource, result) })
            }
        }
        let end = enqueue(
            { resource in
                gate.succeed((resource, Recording.recorderIfOn?.runningOperation))
                return result
            }, step)
        // Resumes the task if its turn will not come. A task that has its turn is cancelled by the operation, which waits for
        // it and keeps the turn.
        return .future(end.always(on: .inPlace) { gate.fail(CancellationError()) })
    }
}

extension Scheduler {
    /// Where a task gets its turn that runs on `executor`: that calls no code of users.
    static func starting(for executor: Scheduler) -> Scheduler { executor == .immediate ? .inPlace : executor }
}

/// A resource, which the task may use until it has completed; and the operation, for diagnosing.
private typealias Admission<Resource: Sendable> = (resource: Resource, operation: (any AnyObject & Sendable)?)
