// Futures of closures that return a future: rejected by the compiler. See `ClosureReturnsAFuture`.

extension Future where Value: FutureCarrying {
    /// Does not compile: the closure returns a future, so the result would be a future of a future.
    ///
    /// Use the future that the closure would return, or `Future(value)` if a future of a future is meant.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "this would be a future of a future: return no future, or take the one returned")
    @available(*, noasync, message: "this would be a future of a future: return no future, or take the one returned")
    @_alwaysEmitIntoClient
    public init(
        @_inheritActorContext immediate function: @escaping @Sendable @isolated(any) () throws -> Value
    ) {
        ClosureReturnsAFuture.trap()
    }

    /// Does not compile: the closure returns a future, so the result would be a future of a future.
    ///
    /// Use the future that the closure would return, or `Future(value)` if a future of a future is meant.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "this would be a future of a future: return no future, or take the one returned")
    @available(*, noasync, message: "this would be a future of a future: return no future, or take the one returned")
    @_alwaysEmitIntoClient
    public init(on scheduler: Scheduler, immediate function: @escaping @Sendable () throws -> Value) {
        ClosureReturnsAFuture.trap()
    }

    /// Does not compile: nothing would wait for the future that is the value of this one.
    ///
    /// Write `flatMap` instead of the `map` whose closure returns it.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "nothing would wait for the future in the value: use flatMap instead of map")
    @available(*, noasync, message: "nothing would wait for the future in the value: use flatMap instead of map")
    @_alwaysEmitIntoClient
    public consuming func asVoid() -> Future<Void> {
        ClosureReturnsAFuture.trap()
    }
}
