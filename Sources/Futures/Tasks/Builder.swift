// Future.Builder: a future of an asynchronous closure, with handlers for its result.

extension Future {
    /// A builder for a future of an asynchronous closure, with handlers for its result.
    ///
    ///     let page = Future<String>.Builder { try await fetch(url) }
    ///         .onSuccess { print("Fetched: \($0)") }
    ///         .onFailure { print("Failed: \($0)") }
    ///         .build()
    ///
    /// A builder is a value: adding a handler returns another one, and leaves this one as it is.
    public struct Builder: Sendable {
        private let begin: @Sendable () -> Future

        private init(_ begin: @escaping @Sendable () -> Future) { self.begin = begin }

        /// Creates a builder of futures that call `task` as ``Future/init(priority:task:)`` does.
        public init(
            priority: TaskPriority? = nil,
            @_inheritActorContext task: @escaping @Sendable @isolated(any) () async throws -> Value
        ) {
            self.init { Future(priority: priority, task: task) }
        }

        /// Returns a builder that also calls `handler` with the value, before the future completes.
        ///
        /// Handlers are called in the order in which they were added.
        ///
        /// - Parameter handler: Runs on the closure's actor, or else on the scheduler that is current where ``build()``
        ///   is called. If it throws, the future fails with that error, which the later failure handlers are called
        ///   with.
        public func onSuccess(
            @_inheritActorContext _ handler: @escaping @Sendable @isolated(any) (Value) throws -> Void
        ) -> Builder {
            Builder { begin().onValue(handler) }
        }

        /// Returns a builder that also calls `handler` with the error, before the future completes.
        ///
        /// It is not called when the future is cancelled. If it throws, its error replaces the original one. Otherwise,
        /// it is like the handlers of ``onSuccess(_:)``.
        public func onFailure(
            @_inheritActorContext _ handler: @escaping @Sendable @isolated(any) (any Error) throws -> Void
        ) -> Builder {
            Builder { begin().onError(handler) }
        }

        /// Starts a task, and returns the future of its result. Each call starts another task.
        public func build() -> Future { begin() }
    }

    /// Creates a future of what `task` returns or throws, which calls `didSucceed` or `didFail` before it completes.
    ///
    /// `task` is like that of ``init(priority:task:)``, and the handlers are like those of ``Builder/onSuccess(_:)``
    /// and ``Builder/onFailure(_:)``.
    public init(
        @_inheritActorContext didSucceed: @escaping @Sendable @isolated(any) (Value) throws -> Void,
        @_inheritActorContext didFail: @escaping @Sendable @isolated(any) (any Error) throws -> Void = { _ in },
        priority: TaskPriority? = nil,
        @_inheritActorContext task: @escaping @Sendable @isolated(any) () async throws -> Value
    ) {
        self = Builder(priority: priority, task: task).onSuccess(didSucceed).onFailure(didFail).build()
    }
}
