// run and runEach: reject closures that return a future, at compile time. See `ClosureReturnsAFuture`.

extension Future {
    /// Rejects a closure that returns a future. Use `flatMap`, or await the future's value in the closure.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "it would be a future of a future: use flatMap { … }, or await its value")
    @available(*, noasync, message: "it would be a future of a future: use flatMap { … }, or await its value")
    @_alwaysEmitIntoClient
    public consuming func run<T: FutureCarrying>(
        priority: TaskPriority? = nil,
        @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) (Value) async throws -> T
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects a closure that returns a future. Use `flatMap`, or await the future's value in the closure.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "it would be a future of a future: use flatMap { … }, or await its value")
    @available(*, noasync, message: "it would be a future of a future: use flatMap { … }, or await its value")
    @_alwaysEmitIntoClient
    public consuming func run<T: FutureCarrying>(
        on scheduler: Scheduler, priority: TaskPriority? = nil,
        _ operation: @escaping @Sendable (Value) async throws -> T
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }
}

extension Sequence where Self: Sendable, Element: Sendable {
    /// Rejects a closure that returns a future. Use `mapToFuture`, or await the future's value in the closure.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "it would be a future of a future: use mapToFuture { … }, or await its value")
    @available(*, noasync, message: "it would be a future of a future: use mapToFuture { … }, or await its value")
    @_alwaysEmitIntoClient
    public func runEach<T: FutureCarrying>(
        maxConcurrentCount: Int = 1, cancelNonCompleted: Bool = true, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        _ operation: @escaping @Sendable @isolated(any) (Element) async throws -> T
    ) -> Future<[T]> {
        ClosureReturnsAFuture.trap()
    }
}

extension CircuitBreaker {
    /// Rejects a closure that returns a future. Use `future`, or await the future's value in the closure.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "it would be a future of a future: use breaker.future { … }, or await its value")
    @available(*, noasync, message: "it would be a future of a future: use breaker.future { … }, or await its value")
    @_alwaysEmitIntoClient
    public func run<T: FutureCarrying>(
        @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        ClosureReturnsAFuture.trap()
    }
}
