// Builder: a future that is described step by step, and begun in the end.

extension Future {
    /// A future of an asynchronous closure, to be begun by ``build()``.
    ///
    ///     let page = Future<String>.Builder { try await fetch(url) }
    ///         .onSuccess { print("Fetched: \($0)") }
    ///         .onFailure { print("Failed: \($0)") }
    ///         .build()
    ///
    /// It is a value: what a handler is added to stays as it is.
    public struct Builder: Sendable {
        private let begin: @Sendable () -> Future
        private var handlers: [@Sendable (Future) -> Future] = []

        /// Describes a future of what `task` returns or throws.
        public init(
            priority: TaskPriority? = nil,
            @_inheritActorContext task: @escaping @Sendable @isolated(any) () async throws -> Value
        ) {
            begin = { Future(priority: priority, task: task) }
        }

        /// Calls `handler` with the value, before it is given to whoever waits; a throw becomes the failure.
        ///
        /// Handlers are called in the order in which they were added, each where `build` is called.
        public func onSuccess(
            @_inheritActorContext _ handler: @escaping @Sendable @isolated(any) (Value) throws -> Void
        ) -> Builder {
            adding { $0.onValue(handler) }
        }

        /// Calls `handler` with the error, before it is given to whoever waits, but not if the future is cancelled.
        public func onFailure(
            @_inheritActorContext _ handler: @escaping @Sendable @isolated(any) (any Error) throws -> Void
        ) -> Builder {
            adding { $0.onError(handler) }
        }

        /// Begins the task; each call begins another one.
        public func build() -> Future {
            handlers.reduce(begin()) { future, add in add(future) }
        }

        private func adding(_ handler: @escaping @Sendable (Future) -> Future) -> Builder {
            var copy = self
            copy.handlers.append(handler)
            return copy
        }
    }

    /// Begins `task` at once, and calls `didSucceed` or `didFail` before its result is given to whoever waits.
    ///
    /// They are called where the future is made; a throw becomes the failure. Neither is called if it is cancelled.
    public init(
        @_inheritActorContext didSucceed: @escaping @Sendable @isolated(any) (Value) throws -> Void,
        @_inheritActorContext didFail: @escaping @Sendable @isolated(any) (any Error) throws -> Void = { _ in },
        priority: TaskPriority? = nil,
        @_inheritActorContext task: @escaping @Sendable @isolated(any) () async throws -> Value
    ) {
        self = Builder(priority: priority, task: task).onSuccess(didSucceed).onFailure(didFail).build()
    }
}
