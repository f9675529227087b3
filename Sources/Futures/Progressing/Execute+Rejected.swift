// execute: handlers that return a future, which do not compile. See `ClosureReturnsAFuture`.

extension Deferred {
    /// Does not compile: nothing would wait for the future that the handler returns.
    ///
    /// Write `start().flatMap { … }`, or return no future.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "nothing would wait for the future that is returned: use start().flatMap")
    @available(*, noasync, message: "nothing would wait for the future that is returned: use start().flatMap")
    @discardableResult @_alwaysEmitIntoClient
    public func execute<T: Sendable>(
        on scheduler: Scheduler = .utility,
        _ handler: @escaping @Sendable (_ useResult: @Sendable () throws -> Value) throws -> any FutureCarrying<T>
    ) -> Future<Future<T>> {
        ClosureReturnsAFuture.trap()
    }
}

extension Progression {
    /// Does not compile: nothing would wait for the future that the handler returns.
    ///
    /// Write `run().flatMap { … }`, or return no future.
    @ClosureReturnsAFuture
    @available(*, deprecated, message: "nothing would wait for the future that is returned: use run().flatMap")
    @available(*, noasync, message: "nothing would wait for the future that is returned: use run().flatMap")
    @discardableResult @_alwaysEmitIntoClient
    public func execute<T: Sendable>(
        on scheduler: Scheduler = .utility,
        _ handler: @escaping @Sendable (_ useResult: @Sendable () throws -> Result) throws -> any FutureCarrying<T>
    ) -> Future<Future<T>> {
        ClosureReturnsAFuture.trap()
    }
}
