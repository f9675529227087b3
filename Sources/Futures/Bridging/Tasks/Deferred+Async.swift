// Deferreds of asynchronous closures, and Deferred.Builder.

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
        self = .following(on: .inPlace) {
            guard let scheduler else { return Future(priority: priority, task: task) }
            return Future(on: scheduler, priority: priority, task: task)
        }
    }

    /// A builder for a deferred of an asynchronous closure, with handlers for its result.
    ///
    ///     let page = Deferred<String>.Builder { try await fetch(url) }
    ///         .onSuccess { print("Fetched: \($0)") }
    ///         .onFailure { print("Failed: \($0)") }
    ///         .build()
    ///
    /// A builder is a value: adding a handler returns another one, and leaves this one as it is.
    public struct Builder: Sendable {
        private var deferred: Deferred

        /// Creates a builder of a deferred that calls `task` in each run, in a task.
        ///
        /// - Parameters:
        ///   - priority: The priority of the task; by default, that of the code that starts the run.
        ///   - task: Called once in each run. It belongs to no actor.
        public init(priority: TaskPriority? = nil, task: @escaping @Sendable () async throws -> Value) {
            deferred = Deferred(priority: priority, task: task)
        }

        /// Returns a builder that also calls `handler` with the value of a run, before the run completes.
        ///
        /// Handlers are called in the order in which they were added, on the scheduler of the start.
        ///
        /// - Parameter handler: If it throws, the run fails with that error, which the later failure handlers are
        ///   called with.
        public func onSuccess(_ handler: @escaping @Sendable (Value) throws -> Void) -> Builder {
            var copy = self
            copy.deferred = deferred.map { value in
                try handler(value)
                return value
            }
            return copy
        }

        /// Returns a builder that also calls `handler` with the error of a run, before the run completes.
        ///
        /// Handlers are called in the order in which they were added, on the scheduler of the start; none is called
        /// when the run is cancelled.
        ///
        /// - Parameter handler: If it throws, its error replaces the original one.
        public func onFailure(_ handler: @escaping @Sendable (any Error) throws -> Void) -> Builder {
            var copy = self
            copy.deferred = deferred.recover { error in
                try handler(error)
                throw error
            }
            return copy
        }

        /// Returns the deferred. Nothing runs until that is started.
        public func build() -> Deferred { deferred }
    }
}

extension Deferred {
    /// Creates a deferred that calls the asynchronous closure `task` in each run, and `didSucceed` or `didFail` before
    /// the run completes.
    ///
    /// Neither handler is called when the run is cancelled.
    ///
    /// - Parameters:
    ///   - didSucceed: Called with the value, on the scheduler of the start. If it throws, the run fails with that error,
    ///     which `didFail` is called with.
    ///   - didFail: Called with the error, on the scheduler of the start. If it throws, its error replaces the original
    ///     one.
    ///   - priority: The priority of the task; by default, that of the code that starts the run.
    ///   - task: Called once in each run. It belongs to no actor.
    public init(
        didSucceed: @escaping @Sendable (Value) throws -> Void = { _ in },
        didFail: @escaping @Sendable (any Error) throws -> Void,
        priority: TaskPriority? = nil, task: @escaping @Sendable () async throws -> Value
    ) {
        self = Builder(priority: priority, task: task).onSuccess(didSucceed).onFailure(didFail).build()
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
