// Futures of closures that return a future, which do not compile. See `ClosureReturnsAFuture`.

extension Future where Value: FutureCarrying {
    /// Rejects closures that return a future; `Future(value)` makes a future of a future where that is meant.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "this would be a future of a future: return no future, or take the one returned")
    @available(*, noasync, message: "this would be a future of a future: return no future, or take the one returned")
    public init(
        @_inheritActorContext immediate function: @escaping @Sendable @isolated(any) () throws -> Value
    ) {
        ClosureReturnsAFuture.trap()
    }

    /// Rejects closures that return a future, with a scheduler.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "this would be a future of a future: return no future, or take the one returned")
    @available(*, noasync, message: "this would be a future of a future: return no future, or take the one returned")
    public init(on scheduler: Scheduler, immediate function: @escaping @Sendable () throws -> Value) {
        ClosureReturnsAFuture.trap()
    }
}
