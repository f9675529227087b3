// SharingState: which callers share which run, and which values are cached.

/// A pure state machine: the runs in progress and the values that are cached, by their keys. It calls no closures, but
/// compares keys. It returns the objects that it no longer needs, to be released without the lock.
struct SharingState<Key: Hashable & Sendable, Value: Sendable> {
    typealias Entry = SharedEntry<Key, Value>

    enum Found {
        case cached(Value)
        /// The caller is counted, here and in `new`.
        case flight(Flight<Value>)
        /// The caller has to open its gate.
        case new(Flight<Value>)
    }

    private var entries: [Key: Entry] = [:]
    /// The number of runs that have begun.
    private var flightCount = 0
    /// The number of cached values.
    private(set) var count = 0
    private let maxCount: Int
    /// The one that was not used for the longest first.
    private var byUse = EntryList<Key, Value>(order: .byUse)
    /// The oldest one first; as all are kept for the same time, that expires first. Threads that keep values at the
    /// same time may get in each other's way here, after they have looked at the clock.
    private var byAge = EntryList<Key, Value>(order: .byAge)

    init(maxCount: Int) { self.maxCount = maxCount }

    var runningCount: Int { entries.count - count }

    /// What there is for a key, or a flight that is made. In one go: between a look and a second one for what is not
    /// there, a whole run could come and go, and its value would be fetched twice.
    mutating func arrive(
        for key: Key, at now: ContinuousClock.Instant, expires end: ContinuousClock.Instant?,
        orBegin makeFlight: (Int) -> Flight<Value>
    ) -> (Found, [AnyObject]) {
        var dropped = removeExpired(at: now)
        if let entry = entries[key] {
            if let flight = entry.flight {
                guard flight.run.node.hasSettled else {
                    flight.callers += 1
                    return (.flight(flight), dropped)
                }
                // Another thread is about to report the end. A caller that joined late may have been called already,
                // and must not get an old result.
                dropped += finish(flight.id, for: key, at: now, expires: end)
            }
            if let value = use(entry, at: now) { return (.cached(value), dropped) }
            // An expired value may be kept behind a younger one.
            if entries[key] === entry { dropped.append(remove(entry)) }
        }
        flightCount += 1
        let flight = makeFlight(flightCount)
        flight.callers += 1
        entries[key] = Entry(key, flight)
        return (.new(flight), dropped)
    }

    /// Removes a caller; returns whether it was the last one.
    mutating func leave(_ flight: Flight<Value>, for key: Key) -> (Bool, AnyObject?) {
        flight.callers -= 1
        guard flight.callers == 0 else { return (false, nil) }
        return (true, entries[key].flatMap { $0.flight === flight ? remove($0) : nil })
    }

    /// Removes a run that has completed. Its value is cached, if it has one, unless it was forgotten meanwhile.
    mutating func finish(
        _ id: Int, for key: Key, at now: ContinuousClock.Instant, expires end: ContinuousClock.Instant?
    ) -> [AnyObject] {
        guard let entry = entries[key], let flight = entry.flight, flight.id == id else { return [] }
        guard maxCount > 0, end.map({ $0 > now }) ?? true, case .success(let value)? = flight.run.result else {
            return [remove(entry)]
        }
        // What is kept is the value alone.
        entry.flight = nil
        return [flight] + keep(entry, value, until: end)
    }

    /// The value for a key, which is counted as used, if it is cached and has not expired.
    mutating func value(for key: Key, at now: ContinuousClock.Instant) -> Value? {
        entries[key].flatMap { use($0, at: now) }
    }

    /// Caches a value, instead of what there is for the key.
    mutating func insert(
        _ value: Value, for key: Key, at now: ContinuousClock.Instant, expires end: ContinuousClock.Instant?
    ) -> [AnyObject] {
        var dropped = removeExpired(at: now)
        if let old = forget(key) { dropped.append(old) }
        guard end.map({ $0 > now }) ?? true else { return dropped }
        let entry = Entry(key)
        entries[key] = entry
        return dropped + keep(entry, value, until: end)
    }

    mutating func forget(_ key: Key) -> AnyObject? { entries[key].map { remove($0) } }

    /// Gives away all there is.
    mutating func forgetAll() -> [AnyObject] {
        let all = Array(entries.values)
        self = SharingState(maxCount: maxCount, flightCount: flightCount)
        return all
    }
}

extension SharingState {
    private init(maxCount: Int, flightCount: Int) {
        self.init(maxCount: maxCount)
        self.flightCount = flightCount
    }

    private mutating func use(_ entry: Entry, at now: ContinuousClock.Instant) -> Value? {
        guard let value = entry.value, !entry.hasExpired(at: now) else { return nil }
        byUse.remove(entry)
        byUse.append(entry)
        return value
    }

    private mutating func keep(_ entry: Entry, _ value: Value, until end: ContinuousClock.Instant?) -> [AnyObject] {
        let dropped = count == maxCount ? byUse.first.map { [remove($0)] } : nil
        (entry.value, entry.end) = (value, end)
        byUse.append(entry)
        byAge.append(entry)
        count += 1
        return dropped ?? []
    }

    private mutating func removeExpired(at now: ContinuousClock.Instant) -> [AnyObject] {
        var dropped: [AnyObject] = []
        while let oldest = byAge.first, oldest.hasExpired(at: now) { dropped.append(remove(oldest)) }
        return dropped
    }

    // The entry has its key, which is not released here, therefore.
    private mutating func remove(_ entry: Entry) -> AnyObject {
        entries[entry.key] = nil
        if entry.value != nil {
            byUse.remove(entry)
            byAge.remove(entry)
            count -= 1
        }
        return entry
    }
}

/// What there is for a key: a run in progress, or a value that is cached.
// Safe to share: the lock of the state guards all of it. Tested by `SharingStressTests`, under the thread sanitizer.
final class SharedEntry<Key: Sendable, Value: Sendable>: @unchecked Sendable {
    fileprivate let key: Key
    /// The run in progress.
    fileprivate var flight: Flight<Value>?
    /// The value, if that is cached.
    fileprivate var value: Value?
    fileprivate var end: ContinuousClock.Instant?
    // The table retains the entries: links that did would be released one inside of the other.
    private var byUse = Links()
    private var byAge = Links()

    fileprivate init(_ key: Key, _ flight: Flight<Value>? = nil) {
        self.key = key
        self.flight = flight
    }

    fileprivate func hasExpired(at now: ContinuousClock.Instant) -> Bool { end.map { $0 <= now } ?? false }

    fileprivate enum Order {
        case byUse
        case byAge
    }

    fileprivate struct Links {
        unowned(unsafe) var before: SharedEntry?
        unowned(unsafe) var behind: SharedEntry?
    }

    fileprivate subscript(order: Order) -> Links {
        get { order == .byUse ? byUse : byAge }
        set { if order == .byUse { byUse = newValue } else { byAge = newValue } }
    }
}

/// Entries in an order, from which any can be removed in O(1).
private struct EntryList<Key: Sendable, Value: Sendable> {
    typealias Entry = SharedEntry<Key, Value>

    let order: Entry.Order
    private(set) unowned(unsafe) var first: Entry?
    private unowned(unsafe) var last: Entry?

    init(order: Entry.Order) { self.order = order }

    mutating func append(_ entry: Entry) {
        entry[order] = Entry.Links(before: last)
        if let last { last[order].behind = entry } else { first = entry }
        last = entry
    }

    mutating func remove(_ entry: Entry) {
        let (before, behind) = (entry[order].before, entry[order].behind)
        if let before { before[order].behind = behind } else { first = behind }
        if let behind { behind[order].before = before } else { last = before }
    }
}

/// A run in progress.
// Safe to share: `callers` is touched under the lock of the state only. Tested by `SharingStressTests`, under the
// thread sanitizer.
final class Flight<Value: Sendable>: @unchecked Sendable {
    /// Identifies the run without retaining it.
    let id: Int
    let gate: Promise<Void>
    let run: Future<Value>
    /// The cache's own listener, because of which no other listener can cancel the run.
    let listener: Node
    fileprivate(set) var callers = 0

    init(_ id: Int, gate: Promise<Void>, run: Future<Value>, listener: Node) {
        self.id = id
        self.gate = gate
        self.run = run
        self.listener = listener
    }
}
