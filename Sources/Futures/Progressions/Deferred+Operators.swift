// map, flatMap, recover, onValue, retry, and, joined, …: the operators of Deferreds.

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

    /// Returns a deferred that replaces the error of a run by the value that `transform` returns for it; values are
    /// passed on.
    ///
    /// An error that `transform` throws replaces the original one.
    @_alwaysEmitIntoClient
    public func recover(
        on scheduler: Scheduler? = nil, _ transform: @escaping @Sendable (any Error) throws -> Value
    ) -> Deferred {
        then { $0.recover(on: scheduler ?? $1, transform) }
    }

    /// Returns a deferred that continues a run that fails with the deferred that `transform` returns for the error;
    /// values are passed on. Otherwise, it is like ``flatMap(on:_:)``.
    @_alwaysEmitIntoClient
    public func flatMapError(
        on scheduler: Scheduler? = nil, _ transform: @escaping @Sendable (any Error) throws -> Deferred
    ) -> Deferred {
        then { future, start in
            future.flatMapError(on: scheduler ?? start) { try transform($0).start(on: start) }
        }
    }

    /// Returns a deferred that calls `callback` with the value of each run before the run completes.
    @_alwaysEmitIntoClient
    public func onValue(
        on scheduler: Scheduler? = nil, _ callback: @escaping @Sendable (Value) -> Void
    ) -> Deferred {
        then { $0.onValue(on: scheduler ?? $1, callback) }
    }

    /// Returns a deferred that calls `callback` with the error of each run that fails before the run completes. It is
    /// not called when a run is cancelled.
    @_alwaysEmitIntoClient
    public func onError(
        on scheduler: Scheduler? = nil, _ callback: @escaping @Sendable (any Error) -> Void
    ) -> Deferred {
        then { $0.onError(on: scheduler ?? $1, callback) }
    }

    /// Returns a deferred whose runs are repeated each time they fail, as long as `policy` allows. Its closures are
    /// called, and its delays end, on `scheduler`.
    @_alwaysEmitIntoClient
    public func retry(_ policy: RetryPolicy, on scheduler: Scheduler? = nil) -> Deferred {
        then { $0.retry(policy, on: scheduler ?? $1) }
    }

    /// Returns a deferred whose runs are cancelled, and fail with ``FutureError/timedOut(after:origin:)``, if they have
    /// not completed within `duration`, by the clock of `scheduler`.
    @_alwaysEmitIntoClient
    public func timeout(
        after duration: Duration, on scheduler: Scheduler? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Deferred {
        then { $0.timeout(after: duration, on: scheduler ?? $1, file: file, line: line) }
    }

    /// Returns a deferred that runs this one and `other` concurrently, for both values.
    ///
    /// The first error fails the run, and cancels the other one. On a concurrent scheduler, synchronous closures of
    /// both run at the same time. So a `wait` for the run in a callback needs another thread of that scheduler.
    public func and<T: Sendable>(_ other: Deferred<T>) -> Deferred<(Value, T)> {
        Deferred<(Value, T)>(begin: { start in join(self.startBeside(on: start), other.startBeside(on: start)) })
    }
}

extension Deferred {
    /// Starts a run that is to run concurrently with others. It starts in a step of its own: deferreds that are nested to
    /// any depth then take no stack.
    fileprivate func startBeside(on scheduler: Scheduler) -> Future<Value> {
        guard !scheduler.hasBeside else { return scheduler.beside { start(on: scheduler) } }
        return Future<Void>().flatMap(on: .inPlace) { start(on: scheduler) }
    }
}

extension Collection where Self: Sendable {
    /// Returns a deferred that runs all deferreds of this collection, up to `maxConcurrentCount` at a time, for their
    /// values in the collection's order.
    ///
    /// The first error fails the run, cancels the deferreds in progress, and no other one is started. On a concurrent
    /// scheduler, synchronous closures of several deferreds run at the same time.
    ///
    /// - Precondition: `maxConcurrentCount` is at least 1.
    public func joined<T: Sendable>(
        maxConcurrentCount: Int = .max, file: StaticString = #fileID, line: UInt = #line
    ) -> Deferred<[T]> where Element == Deferred<T> {
        Deferred { start in
            self.mapToFuture(on: start, maxConcurrentCount: maxConcurrentCount, file: file, line: line) { element in
                start.hasBeside ? start.beside { element.start(on: start) } : element.start(on: start)
            }
        }
    }
}
