// Deferreds of asynchronous closures.

extension Deferred {
    /// Creates a deferred that calls the asynchronous closure `task` in each run, for the value that it returns or the
    /// error that it throws.
    ///
    /// Each run is a task, with the task-local values of the code that starts it. Cancelling a run completes it
    /// immediately and cancels its task.
    ///
    /// - Parameters:
    ///   - scheduler: The task's executor; by default, the concurrent pool.
    ///   - priority: The priority of the task; by default, that of the code that starts the run.
    ///   - task: Called once in each run.
    @_disfavoredOverload
    public init(
        on scheduler: Scheduler? = nil, priority: TaskPriority? = nil,
        task: @escaping @Sendable () async throws -> Value
    ) {
        // `.immediate` stands for the pool.
        self = .following(on: .inPlace) { Future(on: scheduler ?? .immediate, priority: priority, task: task) }
    }

    /// Starts a run, and waits for its value. Each access starts another run, which a cancelled task cancels.
    ///
    ///     let page = try await Deferred { try await fetch(url) }.value
    ///
    /// Closures that have no `on:` of their own run on `.utility`.
    public var value: Value {
        get async throws { try await start().value }
    }
}
