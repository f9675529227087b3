// SharingState: which callers share which run, and which values are cached.

/// A pure state machine: the runs in progress and the values that are cached, by their keys and the hashes of these. It
/// calls no closures, but compares keys. It returns the objects that it no longer needs, to be released without the lock.
struct SharingState<Key: Hashable & Sendable, Value: Sendable> {
    typealias Entry = SharedEntry<Key, Value>

    enum Found {
        case cached(Value)
        /// The caller is counted, here and in `new`.
        case flight(Flight<Value>)
        /// The caller has to open its gate.
        case new(Flight<Value>)
    }

    private var table = KeyTable<Entry>()
    /// The number of runs that have begun.
    private var flightCount = 0
    /// The number of cached values.
    private(set) var count = 0
    private let maxCount: Int
    /// The one that was not used for the longest first.
    private var byUse = EntryList<Key, Value>(isByAge: false)
    /// The oldest one first; as all are kept for the same time, that expires first. Threads that keep values at the
    /// same time may get in each other's way here, after they have looked at the clock.
    private var byAge = EntryList<Key, Value>(isByAge: true)

    init(maxCount: Int) { self.maxCount = maxCount }

    var runningCount: Int { table.count - count }

    /// What there is for a key, or a flight that is made. In one go: between a look and a second one for what is not
    /// there, a whole run could come and go, and its value would be fetched twice.
    mutating func arrive(
        for key: Key, _ hash: Int, at now: ContinuousClock.Instant, expires end: ContinuousClock.Instant?,
        orBegin makeFlight: (FlightNumber) -> Flight<Value>
    ) -> (Found, [AnyObject]) {
        var dropped: [AnyObject] = []
        removeExpired(at: now, &dropped)
        if let entry = entry(of: key, hash) {
            if let flight = entry.flight {
                guard flight.run.node.hasSettled else {
                    flight.callers += 1
                    return (.flight(flight), dropped)
                }
                // Another thread is about to report the end. A caller that joined late may have been called already,
                // and must not get an old result.
                finish(flight.number, at: now, expires: end, &dropped)
            }
            if let value = use(entry, at: now) { return (.cached(value), dropped) }
            // An expired value may be kept behind a younger one.
            if entry.isPresent { dropped.append(remove(entry)) }
        }
        flightCount += 1
        let flight = makeFlight((hash, flightCount))
        flight.callers += 1
        table.insert(Entry(key, hash, flight))
        return (.new(flight), dropped)
    }

    /// Removes a caller; returns whether it was the last one.
    mutating func leave(_ flight: Flight<Value>) -> (Bool, AnyObject?) {
        flight.callers -= 1
        guard flight.callers == 0 else { return (false, nil) }
        return (true, entry(flight.number).map { remove($0) })
    }

    /// Removes a run that has completed. Its value is cached, if it has one, unless it was forgotten meanwhile.
    mutating func finish(
        _ number: FlightNumber, at now: ContinuousClock.Instant, expires end: ContinuousClock.Instant?,
        _ dropped: inout [AnyObject]
    ) {
        guard let entry = entry(number), let flight = entry.flight else { return }
        guard maxCount > 0, end.map({ $0 > now }) ?? true, case .success(let value)? = flight.run.result else {
            return dropped.append(remove(entry))
        }
        // What is kept is the value alone.
        entry.flight = nil
        dropped.append(flight)
        keep(entry, value, until: end, &dropped)
    }

    /// The value for a key, which is counted as used, if it is cached and has not expired.
    mutating func value(for key: Key, _ hash: Int, at now: ContinuousClock.Instant) -> Value? {
        entry(of: key, hash).flatMap { use($0, at: now) }
    }

    /// Caches a value, instead of what there is for the key.
    mutating func insert(
        _ value: Value, for key: Key, _ hash: Int, at now: ContinuousClock.Instant,
        expires end: ContinuousClock.Instant?
    ) -> [AnyObject] {
        var dropped: [AnyObject] = []
        removeExpired(at: now, &dropped)
        if let old = forget(key, hash) { dropped.append(old) }
        guard end.map({ $0 > now }) ?? true else { return dropped }
        let entry = Entry(key, hash)
        table.insert(entry)
        keep(entry, value, until: end, &dropped)
        return dropped
    }

    mutating func forget(_ key: Key, _ hash: Int) -> AnyObject? { entry(of: key, hash).map { remove($0) } }

    /// Gives away all there is.
    mutating func forgetAll() -> [AnyObject] {
        (count, byUse, byAge) = (0, EntryList(isByAge: false), EntryList(isByAge: true))
        return table.removeAll()
    }
}

extension SharingState {
    private func entry(of key: Key, _ hash: Int) -> Entry? { table.entry(hash) { $0.key == key } }

    /// The entry of a run in progress.
    private func entry(_ number: FlightNumber) -> Entry? {
        table.entry(number.hash) { $0.flight?.number.id == number.id }
    }

    private mutating func use(_ entry: Entry, at now: ContinuousClock.Instant) -> Value? {
        guard let value = entry.value, !entry.hasExpired(at: now) else { return nil }
        byUse.remove(entry)
        byUse.append(entry)
        return value
    }

    private mutating func keep(
        _ entry: Entry, _ value: Value, until end: ContinuousClock.Instant?, _ dropped: inout [AnyObject]
    ) {
        if count == maxCount, let unused = byUse.first { dropped.append(remove(unused)) }
        (entry.value, entry.end) = (value, end)
        byUse.append(entry)
        byAge.append(entry)
        count += 1
    }

    private mutating func removeExpired(at now: ContinuousClock.Instant, _ dropped: inout [AnyObject]) {
        while let oldest = byAge.first, oldest.hasExpired(at: now) { dropped.append(remove(oldest)) }
    }

    private mutating func remove(_ entry: Entry) -> AnyObject {
        if entry.value != nil {
            byUse.remove(entry)
            byAge.remove(entry)
            count -= 1
        }
        return table.remove(entry)
    }
}

/// What there is for a key: a run in progress, or a value that is cached.
// Safe to share: the lock of the state guards all of it. Tested by `SharingStressTests`, under the thread sanitizer.
final class SharedEntry<Key: Sendable, Value: Sendable>: KeyEntry, @unchecked Sendable {
    fileprivate let key: Key
    /// The run in progress.
    fileprivate var flight: Flight<Value>?
    /// The value, if that is cached.
    fileprivate var value: Value?
    fileprivate var end: ContinuousClock.Instant?
    // The table retains the entries: links that did would be released one inside of the other.
    private var byUse = Links()
    private var byAge = Links()

    fileprivate init(_ key: Key, _ hash: Int, _ flight: Flight<Value>? = nil) {
        self.key = key
        self.flight = flight
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

/// Identifies a run without retaining it: by the hash of its key, and a number.
typealias FlightNumber = (hash: Int, id: Int)

/// A run in progress.
// Safe to share: `callers` is touched under the lock of the state only. Tested by `SharingStressTests`, under the
// thread sanitizer.
final class Flight<Value: Sendable>: @unchecked Sendable {
    let number: FlightNumber
    let gate: Promise<Void>
    let run: Future<Value>
    /// The cache's own listener, because of which no other listener can cancel the run.
    let listener: Node
    fileprivate(set) var callers = 0

    init(_ number: FlightNumber, gate: Promise<Void>, run: Future<Value>, listener: Node) {
        self.number = number
        self.gate = gate
        self.run = run
        self.listener = listener
    }
}
