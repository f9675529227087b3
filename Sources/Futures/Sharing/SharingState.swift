// SharingState: which callers share which run, and which results are cached.

/// How many results are cached, and for how long.
struct CacheLimits {
    let maxCount: Int
    /// How long a value is fresh; nil for no limit.
    var lifetime: Duration?
    /// How long a value is cached after that, while it is fetched again.
    var staleTime = Duration.zero
    /// How long a failure is cached.
    var failureTime = Duration.zero
}

/// A pure state machine: the runs in progress and the results that are cached, by their keys and the hashes of these.
/// It calls no closures, but compares keys.
///
///     a call ──► run ──succeeds──► fresh value ──the lifetime──► stale value ──the stale time──► nothing
///                                       ▲                    a call │  ▲ fails
///                                       └──────succeeds───── run with a stale value
struct SharingState<Key: Hashable & Sendable, Value: Sendable> {
    typealias Entry = SharedEntry<Key, Value>

    private let limits: CacheLimits
    private var table = KeyTable<Entry>()
    /// The number of cached results.
    private(set) var count = 0
    /// The one that was not used for the longest first.
    private var byUse = KeyList<Entry>()
    /// The entries that were removed, to be released without the lock.
    private var dropped: [AnyObject] = []

    init(_ limits: CacheLimits) { self.limits = limits }

    var runningCount: Int { table.count - count }

    mutating func takeDropped() -> [AnyObject] {
        exchange(&dropped, with: [])
    }

    /// Returns the entry that has the caller's result or run, and the run to be started if there is a new one. In one go:
    /// between a look and a second one for what is not there, a whole run could come and go, and its value would be
    /// fetched twice.
    mutating func arrive(
        for key: Key, _ hash: Int, at now: ContinuousClock.Instant, makeRun: (Entry) -> Entry.Run
    ) -> (entry: Entry, newRun: Entry.Run?) {
        removeExpired(at: now)
        // Another thread may be about to report the end of a run. A caller that joined late may have been called
        // already, and must not get an old result.
        if let entry = entry(of: key, hash), entry.run?.future.node.hasSettled == true { finish(entry, at: now) }
        let found = entry(of: key, hash)
        if let found {
            if found.run != nil {
                if let stale = stale(of: found, at: now) { return (stale, nil) }
                found.callers += 1
                return (found, nil)
            }
            if !found.isStale(at: now) {
                use(found)
                return (found, nil)
            }
            remove(found)
        }
        let stale = found?.hasExpired(at: now) == false ? found : nil
        let entry = Entry(key, hash)
        entry.run = makeRun(entry)
        entry.stale = stale
        // The caller or, with a stale value, which that gets, the cache itself.
        entry.callers = 1
        table.insert(entry)
        return (stale ?? entry, entry.run)
    }

    /// Removes a caller of a run; returns whether it was the last one.
    mutating func leave(_ entry: Entry) -> Bool {
        entry.callers -= 1
        guard entry.callers == 0 else { return false }
        if entry.isPresent { remove(entry) }
        return true
    }

    /// Removes a run that has completed. Its result is cached, unless it was forgotten meanwhile.
    mutating func finish(_ entry: Entry, at now: ContinuousClock.Instant) {
        guard entry.isPresent, let result = entry.run?.future.result else { return }
        remove(entry)
        switch result {
        case .success: keep(result, for: entry.key, entry.hash, entry.lifetime ?? limits.lifetime, at: now)
        case .failure(let error):
            if let stale = stale(of: entry, at: now) {
                // Until then, no call fetches it again.
                let end = stale.end ?? now
                stale.freshUntil = error is CancellationError ? now : min(now.after(limits.failureTime), end)
                keep(stale)
            } else if !(error is CancellationError) {
                keep(result, for: entry.key, entry.hash, limits.failureTime, at: now)
            }
        }
    }

    /// The result for a key, which is counted as used, if it is cached.
    mutating func result(for key: Key, _ hash: Int, at now: ContinuousClock.Instant) -> Result<Value, any Error>? {
        guard let entry = entry(of: key, hash) else { return nil }
        if entry.run != nil { return stale(of: entry, at: now)?.result }
        guard !entry.hasExpired(at: now) else { return nil }
        use(entry)
        return entry.result
    }

    /// Caches a value, instead of what there is for the key.
    mutating func insert(
        _ value: Value, for key: Key, _ hash: Int, lifetime: Duration?, at now: ContinuousClock.Instant
    ) {
        removeExpired(at: now)
        forget(key, hash)
        keep(.success(value), for: key, hash, lifetime ?? limits.lifetime, at: now)
    }

    mutating func forget(_ key: Key, _ hash: Int) {
        if let entry = entry(of: key, hash) { remove(entry) }
    }

    mutating func forgetAll() {
        for entry in table.all { remove(entry) }
    }

    private func entry(of key: Key, _ hash: Int) -> Entry? { table.entry(hash) { $0.key == key } }

    /// The value that a run refreshes, unless it has expired meanwhile.
    private mutating func stale(of run: Entry, at now: ContinuousClock.Instant) -> Entry? {
        guard let stale = run.stale, stale.hasExpired(at: now) else { return run.stale }
        run.stale = nil
        run.callers -= 1
        dropped.append(stale)
        return nil
    }

    private mutating func use(_ entry: Entry) {
        byUse.remove(entry)
        byUse.append(entry)
    }

    /// Caches a result for a key for which there is no entry. What is kept is the result alone.
    private mutating func keep(
        _ result: Result<Value, any Error>, for key: Key, _ hash: Int, _ lifetime: Duration?,
        at now: ContinuousClock.Instant
    ) {
        guard limits.maxCount > 0, lifetime.map({ $0 > .zero }) ?? true else { return }
        let entry = Entry(key, hash, result)
        if let lifetime {
            let staleTime = if case .success = result { limits.staleTime } else { Duration.zero }
            entry.freshUntil = now.after(lifetime)
            entry.end = now.after(lifetime.delayed(by: staleTime))
        }
        keep(entry)
    }

    private mutating func keep(_ entry: Entry) {
        if count == limits.maxCount, let unused = byUse.first { remove(unused) }
        table.insert(entry)
        byUse.append(entry)
        count += 1
    }

    /// Those that were used later are removed when all before them have expired, too.
    private mutating func removeExpired(at now: ContinuousClock.Instant) {
        while let unused = byUse.first, unused.hasExpired(at: now) { remove(unused) }
    }

    private mutating func remove(_ entry: Entry) {
        if entry.result != nil {
            byUse.remove(entry)
            count -= 1
        }
        dropped.append(table.remove(entry))
    }
}

/// What there is for a key: a run, or a result that is cached.
// Safe to share: the lock of the state guards what changes. Tested by `SharingStressTests`, under the thread sanitizer.
final class SharedEntry<Key: Sendable, Value: Sendable>: KeyEntry, @unchecked Sendable {
    /// A run, which starts when its gate opens. Because of the cache's own listener, no other one can cancel it.
    typealias Run = (future: Future<Value>, gate: Promise<Void>, listener: Node)

    fileprivate let key: Key
    /// Set once, before other threads see this entry.
    fileprivate(set) var run: Run?
    fileprivate var callers = 0
    /// How long the run's value will be fresh; nil for the lifetime of all.
    var lifetime: Duration?
    /// The value that the run refreshes.
    fileprivate var stale: SharedEntry?

    let result: Result<Value, any Error>?
    /// When the value becomes stale, and when it expires; nil for never.
    fileprivate var freshUntil: ContinuousClock.Instant?
    fileprivate var end: ContinuousClock.Instant?

    fileprivate init(_ key: Key, _ hash: Int, _ result: Result<Value, any Error>? = nil) {
        self.key = key
        self.result = result
        super.init(hash: hash)
    }

    fileprivate func isStale(at now: ContinuousClock.Instant) -> Bool { freshUntil.map { $0 <= now } ?? false }
    fileprivate func hasExpired(at now: ContinuousClock.Instant) -> Bool { end.map { $0 <= now } ?? false }
}
