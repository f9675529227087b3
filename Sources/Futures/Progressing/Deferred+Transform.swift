// map, flatMap, mapError, flatMapError, and, joined: descriptions made of others.

extension Deferred {
    /// Describes what `transform` returns for the value; a throw is a failure, and errors pass by.
    @inlinable
    public func map<T: Sendable>(
        on scheduler: Scheduler? = nil, _ transform: @escaping @Sendable (Value) throws -> T
    ) -> Deferred<T> {
        then { $0.map(on: scheduler ?? $1, transform) }
    }

    /// Describes a run of what `transform` returns for the value; a throw is a failure, and errors pass by.
    ///
    /// Recursion may be endless: a step that returns the next one takes no stack and no memory.
    @inlinable
    public func flatMap<T: Sendable>(
        on scheduler: Scheduler? = nil, _ transform: @escaping @Sendable (Value) throws -> Deferred<T>
    ) -> Deferred<T> {
        then { future, start in
            future.flatMap(on: scheduler ?? start) { try transform($0).start(on: start) }
        }
    }

    /// Describes what recovers from an error with what `transform` returns for it; values pass by.
    @inlinable
    public func mapError(
        on scheduler: Scheduler? = nil, _ transform: @escaping @Sendable (any Error) throws -> Value
    ) -> Deferred {
        then { $0.mapError(on: scheduler ?? $1, transform) }
    }

    /// Describes what recovers from an error with a run of what `transform` returns for it; values pass by.
    @inlinable
    public func flatMapError(
        on scheduler: Scheduler? = nil, _ transform: @escaping @Sendable (any Error) throws -> Deferred
    ) -> Deferred {
        then { future, start in
            future.flatMapError(on: scheduler ?? start) { try transform($0).start(on: start) }
        }
    }

    /// Describes what `transform` makes of each run's future: for the operators of futures that have no counterpart here.
    ///
    ///     page.transformed { $0.timeout(after: .seconds(5)).onErrorRepeat(maxRepetitions: 2) }
    ///
    /// `transform` is called when a run starts; callbacks that it attaches without `on:` belong to where that is.
    public func transformed<T: Sendable>(
        _ transform: @escaping @Sendable (Future<Value>) -> Future<T>
    ) -> Deferred<T> {
        then { future, _ in transform(future) }
    }

    /// Describes a run of both, side by side; the first failure fails it and cancels the other.
    public func and<T: Sendable>(_ other: Deferred<T>) -> Deferred<(Value, T)> {
        // As a step of its own: others may lie inside of the other, however many.
        then { future, start in
            join(future, Future().flatMap(on: .inPlace) { other.start(on: start) })
        }
    }
}

extension Collection where Self: Sendable {
    /// Describes a run of all, at most `maxConcurrent` at a time, for their values in order.
    ///
    /// The first failure fails it and cancels the others.
    ///
    /// - Precondition: `maxConcurrent` is at least 1.
    public func joined<T: Sendable>(
        maxConcurrent: Int = .max, file: StaticString = #fileID, line: UInt = #line
    ) -> Deferred<[T]> where Element == Deferred<T> {
        Deferred { start in
            self.mapToFuture(on: start, maxConcurrent: maxConcurrent, file: file, line: line) { $0.start(on: start) }
        }
    }
}
