// Deferreds of asynchronous closures, and their Builder.

extension Deferred {
    /// Describes a task of what `task` returns or throws; a cancel of a run completes it at once and cancels its task.
    ///
    /// It runs on the concurrent pool, or with `scheduler` as its executor, and has the task-local values of the start.
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

    /// A description of an asynchronous closure, to be finished by ``build()``.
    ///
    ///     let page = Deferred<String>.Builder { try await fetch(url) }
    ///         .onSuccess { print("Fetched: \($0)") }
    ///         .onFailure { print("Failed: \($0)") }
    ///         .build()
    ///
    /// It is a value: what a handler is added to stays as it is.
    public struct Builder: Sendable {
        private var deferred: Deferred

        /// Describes what `task` returns or throws.
        public init(priority: TaskPriority? = nil, task: @escaping @Sendable () async throws -> Value) {
            deferred = Deferred(priority: priority, task: task)
        }

        /// Calls `handler` with the value, before it is given to whoever waits; a throw becomes the failure.
        ///
        /// Handlers are called in the order in which they were added, each where the run was started.
        public func onSuccess(_ handler: @escaping @Sendable (Value) throws -> Void) -> Builder {
            var copy = self
            copy.deferred = deferred.map { value in
                try handler(value)
                return value
            }
            return copy
        }

        /// Calls `handler` with the error, before it is given to whoever waits, but not if the run is cancelled.
        public func onFailure(_ handler: @escaping @Sendable (any Error) throws -> Void) -> Builder {
            var copy = self
            copy.deferred = deferred.mapError { error in
                try handler(error)
                throw error
            }
            return copy
        }

        /// The description; nothing begins before it is started.
        public func build() -> Deferred { deferred }
    }
}
