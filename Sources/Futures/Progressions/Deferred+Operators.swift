// map, flatMap, flatMapError, and, joined: the operators of Deferreds.

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
