// KeyedFutureQueue: asynchronous operations.

extension KeyedFutureQueue {
    /// Adds an asynchronous operation, which is called when its turn has come.
    ///
    /// As with a ``FutureQueue``: it runs in a task that begins here and waits; cancelling the future cancels the task,
    /// whose turn is over when the task is.
    @discardableResult
    public func run<T: Sendable>(
        for key: Key, waitingAtMost: Duration? = nil, runningAtMost: Duration? = nil, file: StaticString = #fileID,
        line lineNumber: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        enqueueTask(
            for: key, on: nil, Terms(.normal, waitingAtMost, runningAtMost, .init(file, line: lineNumber)), operation)
    }

    /// The same, with `scheduler` as the task's executor.
    @discardableResult
    public func run<T: Sendable>(
        on scheduler: Scheduler, for key: Key, waitingAtMost: Duration? = nil, runningAtMost: Duration? = nil,
        file: StaticString = #fileID, line lineNumber: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> T
    ) -> Future<T> {
        enqueueTask(
            for: key, on: scheduler, Terms(.normal, waitingAtMost, runningAtMost, .init(file, line: lineNumber)),
            operation)
    }

    private func enqueueTask<T: Sendable>(
        for key: Key, on executor: Scheduler?, _ terms: Terms,
        _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        queued(on: executor) { (_: Void) in
            try await operation()
        } enqueue: { [line] operation in
            line.enqueueHeld(for: key, on: executor ?? .inPlace, terms) { hold in try operation((), hold) }
        }
    }
}
