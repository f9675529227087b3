// map, flatMap: the operators of Deferreds.

extension Deferred {
    /// Returns a deferred that transforms the value of each run; errors are passed on.
    ///
    /// An error that `transform` throws fails the run.
    @_alwaysEmitIntoClient
    public func map<T: Sendable>(
        on scheduler: Scheduler? = nil, _ transform: @escaping @Sendable (Value) throws -> T
    ) -> Deferred<T> {
        then { $0.map(on: scheduler ?? $1, transform) }
    }

    /// Returns a deferred that continues each run with the deferred that `transform` returns for the value; errors are
    /// passed on.
    ///
    /// Endless recursion is safe: a step that returns the next one takes no stack and no memory. What `transform`
    /// returns is started on the scheduler of the start, also with `on:`. An error that `transform` throws fails the
    /// run.
    @_alwaysEmitIntoClient
    public func flatMap<T: Sendable>(
        on scheduler: Scheduler? = nil, _ transform: @escaping @Sendable (Value) throws -> Deferred<T>
    ) -> Deferred<T> {
        then { future, start in
            future.flatMap(on: scheduler ?? start) { try transform($0).start(on: start) }
        }
    }
}
