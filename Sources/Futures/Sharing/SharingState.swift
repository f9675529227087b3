// SharingState: which callers share which run, and which values are cached.

/// A pure state machine: the runs in progress and the values that are cached, by their keys and the hashes of these. It
/// calls no closures, but compares keys.
struct SharingState<Key: Hashable & Sendable, Value: Sendable> {
    typealias Entry = SharedEntry<Key, Value>

    private var table = KeyTable<Entry>()
    /// The number of cached values.
    private(set) var count = 0
    private let maxCount: Int
    /// How long a value is cached; nil for no limit.
    private let expiry: Duration?
    /// The one that was not used for the longest first.
    private var byUse = EntryList<Key, Value>(isByAge: false)
    /// The oldest one first; as all are kept for the same time, that expires first. Threads that keep values at the
    /// same time may get in each other's way here, after they have looked at the clock.
    private var byAge = EntryList<Key, Value>(isByAge: true)
    /// The entries that were removed, to be released without the lock.
    private var dropped: [AnyObject] = []

    init(maxCount: Int, expiresAfter expiry: Duration?) {
        self.maxCount = maxCount
        self.expiry = expiry
    }

    var runningCount: Int { table.count - count }

    mutating func takeDropped() -> [AnyObject] {
        defer { dropped = [] }
        return dropped
    }

    /// Returns the entry of a key: with its value, with a run in progress of which the caller is counted, or a new one
    /// with a run that is made. In one go: between a look and a second one for what is not there, a whole run could
    /// come and go, and its value would be fetched twice.
    mutating func arrive(
        for key: Key, _ hash: Int, at now: ContinuousClock.Instant, orBegin makeRun: (Entry) -> Entry.Run
    ) -> (entry: Entry, isNew: Bool) {
        removeExpired(at: now)
        // Another thread may be about to report the end of a run. A caller that joined late may have been called
        // already, and must not get an old result.
        if let entry = entry(of: key, hash), entry.run?.future.node.hasSettled == true { finish(entry, at: now) }
        if let entry = entry(of: key, hash) {
            if entry.run != nil || use(entry, at: now) != nil {
                entry.callers += 1
                return (entry, false)
            }
            // An expired value may be kept behind a younger one.
            remove(entry)
        }
        let entry = Entry(key, hash)
        entry.run = makeRun(entry)
        entry.callers = 1
        table.insert(entry)
        return (entry, true)
    }

    /// Removes a caller of a run; returns whether it was the last one.
    mutating func leave(_ entry: Entry) -> Bool {
        entry.callers -= 1
        guard entry.callers == 0 else { return false }
        if entry.isPresent { remove(entry) }
        return true
    }

    /// Removes a run that has completed. Its value is cached, if it has one, unless it was forgotten meanwhile.
    mutating func finish(_ entry: Entry, at now: ContinuousClock.Instant) {
        guard entry.isPresent, let run = entry.run else { return }
        remove(entry)
        if case .success(let value)? = run.future.result { keep(value, for: entry.key, entry.hash, at: now) }
    }

    /// The value for a key, which is counted as used, if it is cached and has not expired.
    mutating func value(for key: Key, _ hash: Int, at now: ContinuousClock.Instant) -> Value? {
        entry(of: key, hash).flatMap { use($0, at: now) }
    }

    /// Caches a value, instead of what there is for the key.
    mutating func insert(_ value: Value, for key: Key, _ hash: Int, at now: ContinuousClock.Instant) {
        removeExpired(at: now)
        forget(key, hash)
        keep(value, for: key, hash, at: now)
    }

    mutating func forget(_ key: Key, _ hash: Int) {
        if let entry = entry(of: key, hash) { remove(entry) }
    }

    mutating func forgetAll() {
        (count, byUse, byAge) = (0, EntryList(isByAge: false), EntryList(isByAge: true))
        dropped += table.removeAll() as [AnyObject]
    }

    private func entry(of key: Key, _ hash: Int) -> Entry? { table.entry(hash) { $0.key == key } }

    private mutating func use(_ entry: Entry, at now: ContinuousClock.Instant) -> Value? {
        guard let value = entry.value, !entry.hasExpired(at: now) else { return nil }
        byUse.remove(entry)
        byUse.append(entry)
        return value
    }

    /// Caches a value for a key for which there is no entry. What is kept is the value alone.
    private mutating func keep(_ value: Value, for key: Key, _ hash: Int, at now: ContinuousClock.Instant) {
        guard maxCount > 0, expiry.map({ $0 > .zero }) ?? true else { return }
        if count == maxCount, let unused = byUse.first { remove(unused) }
        let entry = Entry(key, hash, value, until: expiry.map { now + min($0, .longest) })
        table.insert(entry)
        byUse.append(entry)
        byAge.append(entry)
        count += 1
    }

    private mutating func removeExpired(at now: ContinuousClock.Instant) {
        while let oldest = byAge.first, oldest.hasExpired(at: now) { remove(oldest) }
    }

    private mutating func remove(_ entry: Entry) {
        if entry.value != nil {
            byUse.remove(entry)
            byAge.remove(entry)
            count -= 1
        }
        dropped.append(table.remove(entry))
    }
}

/// What there is for a key: a run, or a value that is cached.
// Safe to share: the lock of the state guards what changes. Tested by `SharingStressTests`, under the thread sanitizer.
final class SharedEntry<Key: Sendable, Value: Sendable>: KeyEntry, @unchecked Sendable {
    /// A run, which starts when its gate opens. Because of the cache's own listener, no other one can cancel it.
    typealias Run = (future: Future<Value>, gate: Promise<Void>, listener: Node)

    fileprivate let key: Key
    /// Set once, before other threads see this entry.
    fileprivate(set) var run: Run?
    fileprivate var callers = 0
    let value: Value?
    private let end: ContinuousClock.Instant?
    // The table retains the entries: links that did would be released one inside of the other.
    private var byUse = Links()
    private var byAge = Links()

    fileprivate init(_ key: Key, _ hash: Int, _ value: Value? = nil, until end: ContinuousClock.Instant? = nil) {
        self.key = key
        self.value = value
        self.end = end
        super.init(hash: hash)
    }

    fileprivate func hasExpired(at now: ContinuousClock.Instant) -> Bool { end.map { $0 <= now } ?? false }

    fileprivate struct Links {
        unowned(unsafe) var before: SharedEntry?
        unowned(unsafe) var behind: SharedEntry?
    }

    fileprivate subscript(isByAge isByAge: Bool) -> Links {
        get { isByAge ? byAge : byUse }
        set { if isByAge { byAge = newValue } else { byUse = newValue } }
    }
}

/// Entries in an order, from which any can be removed in O(1).
private struct EntryList<Key: Sendable, Value: Sendable> {
    typealias Entry = SharedEntry<Key, Value>

    let isByAge: Bool
    private(set) unowned(unsafe) var first: Entry?
    private unowned(unsafe) var last: Entry?

    init(isByAge: Bool) { self.isByAge = isByAge }

    mutating func append(_ entry: Entry) {
        entry[isByAge: isByAge] = Entry.Links(before: last)
        if let last { last[isByAge: isByAge].behind = entry } else { first = entry }
        last = entry
    }

    mutating func remove(_ entry: Entry) {
        let (before, behind) = (entry[isByAge: isByAge].before, entry[isByAge: isByAge].behind)
        if let before { before[isByAge: isByAge].behind = behind } else { first = behind }
        if let behind { behind[isByAge: isByAge].before = before } else { last = before }
    }
}
