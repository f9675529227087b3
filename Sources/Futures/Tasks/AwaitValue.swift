// value: awaits a future in asynchronous code.

extension Future {
    /// The value of this future, once there is one. Without suspending, if the future has completed.
    ///
    ///     let page = try await fetch(url).value
    ///
    /// If the awaiting task is cancelled, it stops waiting immediately and throws a `CancellationError`, and the future
    /// is cancelled on ``Scheduler/background``, unless it has other listeners. A result that is available is
    /// returned or thrown even in a cancelled task.
    ///
    /// If `await` is missing, the compiler says "caller isolation inheriting-isolated property 'value' cannot be
    /// accessed from outside of the actor".
    @inlinable
    public nonisolated(nonsending) var value: Value {
        // Without `nonsending` the compiler would say that `await` is missing, but a task would leave its actor for a
        // completed future, too: 9.4 us instead of 12 ns on the main actor, 157 instead of 3 ns on another.
        get async throws {
            if let result { return try result.get() }
            guard await node.suspendUntilSettled() else { throw CancellationError() }
            return try result!.get()
        }
    }
}

extension Future {
    /// Waits for this future, and returns its result: for code that handles an error without `try` and `catch`.
    ///
    /// Otherwise, it is like ``value``.
    public nonisolated(nonsending) func getResult() async -> Result<Value, any Error> {
        do { return .success(try await value) } catch { return .failure(error) }
    }
}

extension Node {
    /// Suspends until this node has settled; returns false if the task was cancelled first.
    // The actor is a parameter that the closure captures: a `nonisolated(nonsending)` function would make the task
    // leave its actor before it suspends, as the closure is not `nonisolated(nonsending)`.
    @usableFromInline
    func suspendUntilSettled(isolation: isolated (any Actor)? = #isolation) async -> Bool {
        if hasSettled, !Task.isCancelled { return true }
        let record = Recording.recorderIfOn?.wait(for: self)
        defer { record?.dispose() }
        // Whether this node has settled, or the task was cancelled first; and what to resume, while the task is suspended.
        let wait = Locked((hasSettled: Bool?.none, continuation: UnsafeContinuation<Bool, Never>?.none))
        @Sendable func end(hasSettled: Bool) {
            let continuation = wait.withLock { wait in
                if wait.hasSettled == nil { wait.hasSettled = hasSettled }
                return wait.continuation.take()
            }
            continuation?.resume(returning: hasSettled)
        }
        let listener = Node.listener(to: self) { _ in end(hasSettled: true) }
        return await withTaskCancellationHandler {
            _ = isolation
            return await withUnsafeContinuation { continuation in
                let hasSettled = wait.withLock { wait in
                    if wait.hasSettled == nil { wait.continuation = continuation }
                    return wait.hasSettled
                }
                if let hasSettled { continuation.resume(returning: hasSettled) }
            }
        } onCancel: {
            // Not here: a cancel calls code of users, which would run with the runtime's lock of the task held. And not
            // in the task, which that code may be waiting for.
            Scheduler.background.asyncUnfinished { listener.cancel() }
            end(hasSettled: false)
        }
    }
}
