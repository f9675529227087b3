// run: asynchronous operations of everything that gives turns.

extension TurnGiver {
    /// Runs an asynchronous closure when its turn has come. The turn lasts until the closure has returned.
    ///
    ///     pool.run { connection in try await connection.ask("…") } finally: { connection, _ in await connection.reset() }
    ///
    /// The operation runs in a task that is created here, with the caller's priority and task-local values, and waits
    /// for its turn. Cancelling the future completes it immediately and cancels the task; the turn lasts until the task
    /// has completed, so a task that ignores the cancellation keeps its turn. If the task waits for an operation behind
    /// it in the same queue, both stay pending: this deadlock is not detected.
    ///
    /// - Parameters:
    ///   - options: The priority and the time limits.
    ///   - file: The file that errors and reports name.
    ///   - line: The line that errors and reports name.
    ///   - operation: Called with the resource when its turn has come. It runs on the closure's actor, or else with the
    ///     queue's `executeOn:` scheduler as its executor, or else on the concurrent pool.
    ///   - cleanup: The last step of the turn of each operation that was called, in a task of its own: see
    ///     ``enqueue(with:file:line:_:finally:)``.
    /// - Returns: A future of what `operation` returns or throws, or of an error of the queue.
    @_alwaysEmitIntoClient @discardableResult
    public func run<T: Sendable>(
        with options: TurnOptions = .init(), file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T,
        @_inheritActorContext finally cleanup: (
            @Sendable @isolated(any) (Resource, Result<T, any Error>) async throws -> Void
        )? = nil
    ) -> Future<T> {
        let turns = turns
        let executor = operation.isolation == nil ? turns.core.executeOn : nil
        return turns.runTask(on: executor, options, .init(file, line: line), operation, finally: cleanup)
    }
}

extension TurnsOnScheduler {
    /// Runs an asynchronous closure: see ``TurnGiver/run(with:file:line:_:finally:)``.
    @_alwaysEmitIntoClient @discardableResult
    public func run<T: Sendable>(
        with options: TurnOptions = .init(), file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Giver.Resource) async throws -> T,
        finally cleanup: (@Sendable (Giver.Resource, Result<T, any Error>) async throws -> Void)? = nil
    ) -> Future<T> {
        giver.turns.runTask(on: scheduler, options, .init(file, line: line), operation, finally: cleanup)
    }
}

extension TurnSource {
    @usableFromInline
    func runTask<T: Sendable>(
        on executor: Scheduler?, _ options: TurnOptions, _ origin: FutureError.SourceLocation,
        _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T,
        finally cleanup: (@Sendable @isolated(any) (Resource, Result<T, any Error>) async throws -> Void)?
    ) -> Future<T> {
        guard let cleanup else {
            return queued(on: executor, operation) { operation in
                enqueueWithTurn(on: .starting(for: executor), options, origin, operation)
            }
        }
        return queued(on: executor, operation, finally: { try await cleanup($0, $1) }) { operation, step in
            enqueue(on: .starting(for: executor), options, origin, operation, finally: step)
        }
    }
}
