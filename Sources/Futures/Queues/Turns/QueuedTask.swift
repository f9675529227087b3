// Queued tasks: asynchronous operations that wait for their turn in a queue.

extension TurnSource {
    /// Returns a future of what `operation` returns or throws, in a task that is created here and waits for its turn,
    /// followed by a cleanup in a task of its own.
    ///
    /// With `.immediate` as the executor, the tasks run on the concurrent pool, or where the actor of their closure
    /// says.
    ///
    /// The turn lasts until the task has completed: a cancelled task may continue for a while, and use the resource.
    /// The cleanup's task is not cancelled with that of the operation.
    // A task that is created with its turn would inherit the priority and the task-local values of the operation before.
    @usableFromInline
    func runTask<T: Sendable>(
        on executor: Scheduler, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T,
        finally cleanup: (@Sendable @isolated(any) (Resource, Result<T, any Error>) async throws -> Void)?
    ) -> Future<T> {
        Future<Void>().step(on: .inPlace, .values) { _ in
            let gate = Promise<Admission<Resource>>()
            let isCalled = cleanup.map { _ in Locked(false) }
            let task: @Sendable () async throws -> T = {
                let admission: Admission<Resource>
                do { admission = try await gate.future.value } catch {
                    // The cancel of the future comes from another thread, and may find the promise released, which
                    // would be an event.
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
            // What starts with the turn calls no code of users.
            let end = enqueue(
                on: executor == .immediate ? .inPlace : executor, options, origin,
                { resource in
                    gate.succeed((resource, Recording.recorderIfOn?.runningOperation))
                    return result
                }, finally: step)
            // Resumes the task if its turn will not come. A task that has its turn is cancelled by the operation, which
            // waits for it and keeps the turn.
            return .future(end.always(on: .inPlace) { gate.fail(CancellationError()) })
        }
    }
}

/// A resource, which the task may use until it has completed; and the operation, for diagnosing.
private typealias Admission<Resource: Sendable> = (resource: Resource, operation: (any AnyObject & Sendable)?)
