// finally: asynchronous operations that give back a clean resource.

extension ResourcePool {
    /// Calls the asynchronous `operation` with a resource, and `cleanup` as the last step before that is given back.
    ///
    /// However the operation ends, `cleanup` is called once, before the resource is given back: with a value, an error,
    /// a cancel, an abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The
    /// future completes after the cleanup. If it is cancelled, it completes at once; then the cleanup starts when the
    /// task of `operation` has returned, and the resource is kept until the cleanup is complete. Nothing cancels the
    /// cleanup, which runs in a task of its own. If the cleanup fails, a success becomes that failure; an error stays
    /// what it is, and the cleanup's goes to `onCleanupFailure(_:)`. In any case the pool closes the resource then,
    /// instead of handing it out again.
    ///
    /// - Parameters:
    ///   - operation: Called with a resource that is its own until the cleanup is complete, in a task that starts
    ///     here and waits.
    ///   - cleanup: Gets the resource and the operation's result. A cancel is `.failure(CancellationError())`.
    @discardableResult
    public func withResource<T: Sendable>(
        priority: QueuePriority = .normal, waitingAtMost: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T,
        @_inheritActorContext
        finally cleanup: @escaping @Sendable @isolated(any) (Resource, Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let terms = Terms(priority, waitingAtMost, nil, .init(file, line: line))
        return visit(on: nil, terms, operation, finally: cleanup)
    }

    /// Calls the asynchronous `operation` with a resource, and `cleanup` as the last step before that is given back.
    ///
    /// However the operation ends, `cleanup` is called once, before the resource is given back: with a value, an error,
    /// a cancel, an abort or the end of a time limit. If the operation is never called, neither is `cleanup`. The
    /// future completes after the cleanup. If it is cancelled, it completes at once; then the cleanup starts when the
    /// task of `operation` has returned, and the resource is kept until the cleanup is complete. Nothing cancels the
    /// cleanup, which runs in a task of its own. If the cleanup fails, a success becomes that failure; an error stays
    /// what it is, and the cleanup's goes to `onCleanupFailure(_:)`. In any case the pool closes the resource then,
    /// instead of handing it out again. `scheduler` is the executor of both tasks.
    ///
    /// - Parameters:
    ///   - operation: Called with a resource that is its own until the cleanup is complete, in a task that starts
    ///     here and waits.
    ///   - cleanup: Gets the resource and the operation's result. A cancel is `.failure(CancellationError())`.
    @discardableResult
    public func withResource<T: Sendable>(
        on scheduler: Scheduler, priority: QueuePriority = .normal, waitingAtMost: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (Resource) async throws -> T,
        finally cleanup: @escaping @Sendable (Resource, Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        let terms = Terms(priority, waitingAtMost, nil, .init(file, line: line))
        return visit(on: scheduler, terms, operation, finally: cleanup)
    }
}

extension ResourcePool {
    private func visit<T: Sendable>(
        on executor: Scheduler?, _ terms: Terms,
        _ operation: @escaping @Sendable @isolated(any) (Resource) async throws -> T,
        finally cleanup: @escaping @Sendable @isolated(any) (Resource, Result<T, any Error>) async throws -> Void
    ) -> Future<T> {
        queued(on: executor, operation, finally: { try await cleanup($0, $1) }) { [pool] operation, step in
            pool.visit(on: executor ?? .immediate, terms, operation, finally: step)
        }
    }
}
