// FutureCache: a cache of asynchronous values.

/// A cache of asynchronous values, which also deduplicates the operations that fetch them.
///
///     let pages = FutureCache<URL, Page>(maxCount: 100, expiresAfter: .seconds(60))
///     pages.future(for: url) { page(at: url) }        // starts a run
///     pages.future(for: url) { page(at: url) }        // shares that run, or has its value
///
/// Callers that ask for a key while it is being fetched share one run, as in a ``SingleFlight``. Only values are
/// cached: after an error or a cancel, the next call starts a new run.
///
/// `==` of a key is called by the caller's thread, under a lock: it must not use the cache.
///
/// When the cache is full, the least recently used value is removed. Expired values are removed by the next call for
/// any key.
///
/// - Complexity: Each call is O(1) in the number of cached values.
public final class FutureCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    let sharing: Sharing<Key, Value>

    /// Creates an empty cache of up to `maxCount` values, each kept for `expiresAfter`.
    ///
    /// - Parameters:
    ///   - label: What descriptions and reports call the cache and its runs; nil for no name.
    ///   - maxCount: The maximum number of cached values.
    ///   - expiry: How long a value is kept after it was fetched; nil for no limit. If it is zero or less, nothing is
    ///     cached, and runs are shared only.
    ///   - scheduler: The scheduler whose clock measures `expiresAfter`.
    ///   - file: The file named by the trap if `maxCount` is less than 1.
    ///   - line: The line named by the trap if `maxCount` is less than 1.
    /// - Precondition: `maxCount` is at least 1.
    public init(
        label: String? = nil, maxCount: Int, expiresAfter expiry: Duration? = nil,
        on scheduler: Scheduler = .background, file: StaticString = #fileID, line: UInt = #line
    ) {
        guard maxCount >= 1 else {
            fatalError(
                "maxCount must be at least 1. To share runs and keep nothing, use a SingleFlight.", file: file,
                line: line)
        }
        sharing = Sharing(
            maxCount: maxCount, expiresAfter: expiry, on: scheduler,
            named: LineName("FutureCache", label, file, line))
    }

    /// The number of cached values, including expired ones that have not been removed yet.
    public var count: Int { sharing.count }

    /// Returns a future of the value for `key`, calling `operation` if it is neither cached nor being fetched.
    ///
    /// A repetition asks again. Cancelling, and where `operation` runs: see ``SingleFlight/future(for:_:)``.
    public func future(
        for key: Key,
        @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) () throws -> Future<Value>
    ) -> Future<Value> {
        let (scheduler, operation) = isolated(operation)
        return future(on: scheduler, for: key, operation)
    }

    /// The same, called on `scheduler`.
    package func future(
        on scheduler: Scheduler, for key: Key, _ operation: @escaping @Sendable () throws -> Future<Value>
    ) -> Future<Value> {
        sharing.future(on: scheduler, for: key, operation)
    }

    /// Returns the value for `key` if it is cached, without fetching it.
    ///
    /// It counts as a use: other values are removed before this one when the cache is full.
    ///
    /// - Parameter key: The key of the value.
    /// - Returns: The value; nil if there is none, it has expired, or it is being fetched.
    public func cachedValue(forKey key: Key) -> Value? { sharing.value(for: key) }

    /// Caches a value, as if it had been fetched now, instead of another one that is cached.
    ///
    /// A run in progress for the key continues for its callers; its value is not cached.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key of the value.
    public func insert(_ value: Value, forKey key: Key) { sharing.insert(value, for: key) }

    /// Removes the value for `key`. A run in progress continues for its callers; its value is not cached.
    public func removeValue(forKey key: Key) { sharing.forget(key) }

    /// Removes all values. Runs in progress continue for their callers; their values are not cached.
    public func removeAll() { sharing.forgetAll() }
}

extension FutureCache: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary {
        Summary(sharing.name.ofSummary, ["kept": sharing.count, "running": sharing.runningCount])
    }
}
