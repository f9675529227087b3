// Memo: values that are kept for who asks again.

/// Keeps values by their keys, and begins an operation for those that it does not have.
///
///     let pages = Memo<URL, Page>(maxCount: 100, expiresAfter: .seconds(60))
///     pages.future(for: url) { page(at: url) }        // begins
///     pages.future(for: url) { page(at: url) }        // shares that run, or has its value
///
/// A key that is being fetched is so once, for all who ask, as in a ``SingleFlight``. Errors and cancels are not kept:
/// the next one who asks begins a new run. What is kept is the value alone, not how it came about.
///
/// `hash(into:)` and `==` of a key are called by the thread that asks or forgets, without a lock: they may block, or
/// use the memo.
///
/// When there is no room, the value goes that was not asked for the longest. One that has expired goes when anybody
/// asks for anything. All of it takes the same time however many values there are.
public final class Memo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    let sharing: Sharing<Key, Value>

    /// Makes an empty one, for `maxCount` values, each of which expires so long after it came; never, by default.
    ///
    /// The time is that of `scheduler`. If it is not longer than zero nothing is kept, and only runs are shared.
    ///
    /// - Precondition: `maxCount` is at least 1.
    public init(
        maxCount: Int, expiresAfter expiry: Duration? = nil, on scheduler: Scheduler = .background,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        guard maxCount >= 1 else {
            fatalError(
                "maxCount must be at least 1. To share runs and keep nothing, use a SingleFlight.", file: file,
                line: line)
        }
        sharing = Sharing(maxCount: maxCount, expiresAfter: expiry, on: scheduler)
    }

    /// How many values are kept. (Some may have expired.)
    public var count: Int { sharing.count }

    /// A future of the value for `key`; if it is not kept, and nobody is fetching it, `operation` is called for it.
    ///
    /// A throw is a failure. A repetition of the future asks again.
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

    /// Lets go of the value for `key`. If it is being fetched, that goes on for those who wait, but is not kept.
    public func forget(_ key: Key) {
        sharing.forget(key)
    }

    /// Lets go of all values, and of what is being fetched as `forget` does.
    public func forgetAll() {
        sharing.forgetAll()
    }
}
