// SingleFlight: one run for all who ask for the same at the same time.

/// Runs an operation once for all who ask for the same key while it runs.
///
///     let flights = SingleFlight<URL, Page>()
///     flights.future(for: url) { page(at: url) }      // begins
///     flights.future(for: url) { page(at: url) }      // shares that run
///
/// Each caller has a future of its own, and may cancel it alone; when all have, the operation is cancelled, and who
/// asks then begins a new one, which does not wait until the old one has cleared up. Nothing is kept: once the result
/// is there, the next caller begins a new run, and so does a callback that hears the result. (A ``Memo`` keeps values.)
/// A repetition of a caller's future asks again.
///
/// `hash(into:)` and `==` of a key are called by the thread that asks or forgets, without a lock: they may block, or
/// use the flights.
///
/// An operation may ask for other keys, but must not wait for its own: it fails with ``FutureError/awaitsItself`` if it
/// returns that future as it is, and else waits for ever.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    let sharing = Sharing<Key, Value>(maxCount: 0, expiresAfter: nil, on: .background)

    /// Makes one in which nothing runs.
    public init() {}

    /// A future of the run in progress for `key`; if there is none, `operation` is called and begins one.
    ///
    /// A throw is a failure.
    public func future(
        for key: Key,
        @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) () throws -> Future<Value>
    ) -> Future<Value> {
        let (scheduler, operation) = isolated(operation)
        return sharing.future(on: scheduler, for: key, operation)
    }

    /// The same, with `operation` called on `scheduler`.
    public func future(
        on scheduler: Scheduler, for key: Key, _ operation: @escaping @Sendable () throws -> Future<Value>
    ) -> Future<Value> {
        sharing.future(on: scheduler, for: key, operation)
    }

    /// Shares the run in progress for `key` with nobody who comes from now on; those who have come keep it.
    public func forget(_ key: Key) {
        sharing.forget(key)
    }
}
