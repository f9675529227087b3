// FutureCache: a cache of asynchronous values.

/// A cache of asynchronous values, which also deduplicates the operations that fetch them.
///
///     let pages = FutureCache<URL, Page>(maxCount: 100, expiresAfter: .seconds(60))
///     pages.future(for: url) { page(at: url) }        // starts a run
///     pages.future(for: url) { page(at: url) }        // shares that run, or has its value
///
/// Callers that ask for a key while it is being fetched share one run, as in a ``SingleFlight``. Only values are
/// cached, unless `failuresFor` says otherwise: after an error or a cancel, the next call starts a new run.
///
/// `==` of a key is called by the caller's thread, under a lock: it must not use the cache.
///
/// When the cache is full, the least recently used value is removed. An expired value is removed by a call for its key,
/// or by one for any key once all values that were not used for longer have expired.
///
/// - Complexity: Each call is O(1) in the number of cached values.
public final class FutureCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    let name: LineName
    private let state: Locked<SharingState<Key, Value>>
    private let clock: Scheduler
    private let lifetime: (@Sendable (Value) -> Duration?)?

    // A `SingleFlight` is a cache without values.
    init(
        _ limits: CacheLimits, lifetime: (@Sendable (Value) -> Duration?)?, on clock: Scheduler, named name: LineName
    ) {
        self.name = name
        self.lifetime = lifetime
        state = Locked(SharingState(limits))
        // If nothing expires the time does not matter, and reading a real clock would count as an escape from virtual
        // time.
        let expires = limits.lifetime != nil || limits.failureTime > .zero || lifetime != nil
        self.clock = expires ? clock : .unblocked
    }

    deinit {
        // Caches may be each other's values, however many.
        var entries: [AnyObject]? = state.withLock { state in
            state.forgetAll()
            return state.takeDropped()
        }
        DeferredReleases.here.release(&entries)
    }

    /// Creates an empty cache of up to `maxCount` values, each kept for `expiresAfter`.
    ///
    /// - Parameters:
    ///   - label: What descriptions and reports call the cache and its runs; nil for no name.
    ///   - maxCount: The maximum number of cached values and failures.
    ///   - expiry: How long a value is kept after it was fetched; nil for no limit. If it is zero or less, nothing is
    ///     cached, and runs are shared only.
    ///   - staleTime: How long a value is kept after that (stale-while-revalidate). The first call in that time starts a
    ///     run, which no cancel of a caller stops. All calls get the old value until the run has a new one. If the run
    ///     fails, the old value stays, and a later call starts the next run.
    ///   - failureTime: How long a failure is kept, except for a `CancellationError`: calls fail with it, and a stale
    ///     value is not fetched again.
    ///   - scheduler: The scheduler whose clock measures these times, and which calls `lifetime`.
    ///   - file: The file named by the trap if `maxCount` is less than 1.
    ///   - line: The line named by the trap if `maxCount` is less than 1.
    ///   - lifetime: Returns how long a value is kept, such as the `max-age` of a response; nil for `expiresAfter`. The
    ///     callers of a run get its value when `lifetime` has returned. ``insert(_:forKey:)`` calls it in place.
    /// - Precondition: `maxCount` is at least 1.
    public convenience init(
        label: String? = nil, maxCount: Int, expiresAfter expiry: Duration? = nil,
        staleFor staleTime: Duration = .zero, failuresFor failureTime: Duration = .zero,
        on scheduler: Scheduler = .background, file: StaticString = #fileID, line: UInt = #line,
        lifetime: (@Sendable (Value) -> Duration?)? = nil
    ) {
        guard maxCount >= 1 else {
            fatalError(
                "maxCount must be at least 1. To share runs and keep nothing, use a SingleFlight.", file: file,
                line: line)
        }
        self.init(
            CacheLimits(maxCount: maxCount, lifetime: expiry, staleTime: staleTime, failureTime: failureTime),
            lifetime: lifetime, on: scheduler, named: LineName("FutureCache", label, file, line))
    }

    /// The number of cached values and failures, including expired ones that have not been removed yet. A value is not
    /// counted while it is fetched again.
    public var count: Int { state.withLock { $0.count } }

    /// Returns a future of the value for `key`, calling `operation` if it is neither cached nor being fetched.
    ///
    /// A repetition asks again. Cancelling, and where `operation` runs: see ``SingleFlight/future(for:_:)``.
    public func future(
        for key: Key,
        @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) () throws -> Future<Value>
    ) -> Future<Value> {
        future(on: .inferred(from: operation.isolation), for: key, Beginning(.isolated(operation)).call)
    }

    /// Returns the value for `key` if it is cached, also a stale one, without fetching it.
    ///
    /// It counts as a use: other values are removed before this one when the cache is full.
    ///
    /// - Parameter key: The key of the value.
    /// - Returns: The value; nil if there is none, it has expired, or it is being fetched for the first time.
    public func cachedValue(forKey key: Key) -> Value? {
        let (now, hash) = (clock.now, key.hashValue)
        return try? change { $0.result(for: key, hash, at: now) }?.get()
    }

    /// Caches a value, as if it had been fetched now, instead of another one that is cached.
    ///
    /// A run in progress for the key continues; its value is not cached.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key of the value.
    public func insert(_ value: Value, forKey key: Key) {
        let (now, hash, lifetime) = (clock.now, key.hashValue, lifetime?(value))
        change { $0.insert(value, for: key, hash, lifetime: lifetime, at: now) }
    }

    /// Removes the value for `key`. A run in progress continues; its value is not cached.
    public func removeValue(forKey key: Key) {
        let hash = key.hashValue
        change { $0.forget(key, hash) }
    }

    /// Removes all values. Runs in progress continue; their values are not cached.
    public func removeAll() { change { $0.forgetAll() } }
}

extension FutureCache {
    /// How many runs are in progress.
    var runningCount: Int { state.withLock { $0.runningCount } }

    /// The same, called on `scheduler`.
    package func future(
        on scheduler: Scheduler, for key: Key, _ operation: @escaping @Sendable () throws -> Future<Value>
    ) -> Future<Value> {
        let hash = key.hashValue
        return Future<Void>().step(on: .inPlace, .values) { [self] _ in
            let now = clock.now
            // Not by `change`: a function in between would be a line of reports.
            let (entry, newRun, dropped) = state.withLock { state in
                let (entry, newRun) = state.arrive(for: key, hash, at: now) { run(of: $0, on: scheduler, operation) }
                return (entry, newRun, state.takeDropped())
            }
            defer { withExtendedLifetime(dropped) {} }
            // A caller's own future, which leaves however it ends.
            let caller = entry.run?.future.always(on: .inPlace) { [self] in
                if change({ $0.leave(entry) }) { entry.run!.listener.cancel() }
            }
            if let newRun {
                if Recording.isOn, let label = name.label { newRun.future.named(label) }
                newRun.gate.succeed()
            }
            return caller.map { .future($0) } ?? .result(entry.result!)
        }
    }

    /// Creates the run of an entry. It calls no user code, so it can be created under the lock.
    private func run(
        of entry: SharedEntry<Key, Value>, on scheduler: Scheduler,
        _ operation: @escaping @Sendable () throws -> Future<Value>
    ) -> SharedEntry<Key, Value>.Run {
        let gate = Promise<Void>()
        var run = gate.future.flatMap(on: scheduler, operation)
        if let lifetime {
            // Before the run completes, as the next call may cache its value.
            run = run.step(on: clock, .values) { [state, weak entry] result in
                if case .success(let value) = result {
                    let time = lifetime(value)
                    if let entry { state.withLock { _ in entry.lifetime = time } }
                }
                return .result(result)
            }
        }
        // The first of its listeners: when the others are called, no caller can join this run any more. It also
        // prevents a cancel until all callers have left. Weak, because the cache retains the run, which retains its
        // listeners.
        let listener = run.step(on: .inPlace, .results) { [weak self, weak entry] result in
            if let self, let entry {
                let now = clock.now
                change { $0.finish(entry, at: now) }
            }
            return .result(result)
        }
        listener.node.noteObserved()
        return (run, gate, listener.node)
    }

    /// Changes the state, and releases what is dropped by that outside of the lock.
    private func change<T>(_ body: (inout SharingState<Key, Value>) -> T) -> T {
        let (result, dropped) = state.withLock { (body(&$0), $0.takeDropped()) }
        withExtendedLifetime(dropped) {}
        return result
    }
}

extension FutureCache: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary {
        (name.ofSummary, ["kept": count, "running": runningCount])
    }
}
