// SingleFlight: one run for all callers that ask for the same key concurrently.

/// Deduplicates concurrent operations: callers that ask for the same key share one run.
///
///     let flights = SingleFlight<URL, Page>()
///     flights.future(for: url) { page(at: url) }      // starts a run
///     flights.future(for: url) { page(at: url) }      // shares that run
///
/// Each caller has a future of its own, and can cancel it without affecting the others. When all have cancelled, the
/// run is cancelled, and the next call starts a new one without waiting for the old one's end. Nothing is cached: once
/// a run has completed, the next call starts a new one, also in a callback with the run's result. (A ``FutureCache``
/// caches values.) A repetition of a caller's future asks again.
///
/// `==` of a key is called by the caller's thread, under a lock: it must not use the flights.
///
/// An operation may ask for other keys, but must not wait for its own: it fails with ``FutureError/awaitsItself`` if it
/// returns that future unchanged, and stays pending otherwise.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let cache: FutureCache<Key, Value>

    /// Creates an object without runs.
    ///
    /// - Parameters:
    ///   - label: What descriptions and reports call the object and its runs; nil for no name.
    public init(label: String? = nil) {
        cache = FutureCache(
            CacheLimits(maxCount: 0), lifetime: nil, on: .background, named: LineName("SingleFlight", label, "", 0))
    }

    /// Returns a future of the result of the run in progress for `key`, calling `operation` to start one if there is
    /// none.
    ///
    /// - Parameters:
    ///   - key: The key of the run.
    ///   - operation: Starts the run. Runs on the closure's actor, or else on the current scheduler. An error that it
    ///     throws fails the run. For asynchronous code, it returns a `Future { try await … }`, whose task is cancelled
    ///     when all callers have cancelled.
    public func future(
        for key: Key,
        @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) () throws -> Future<Value>
    ) -> Future<Value> {
        future(on: .inferred(from: operation.isolation), for: key, Beginning(.isolated(operation)).call)
    }

    /// The same, called on `scheduler`.
    package func future(
        on scheduler: Scheduler, for key: Key, _ operation: @escaping @Sendable () throws -> Future<Value>
    ) -> Future<Value> {
        cache.future(on: scheduler, for: key, operation)
    }

    /// Detaches the run in progress for `key`: callers that have asked keep it, and the next call starts a new run.
    public func forget(_ key: Key) { cache.removeValue(forKey: key) }
}

extension SingleFlight: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary {
        (cache.name.ofSummary, ["running": cache.runningCount])
    }
}
