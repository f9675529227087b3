// KeptValues: the entries whose values are kept, those that were used last.

/// The entries whose values are kept, in the order of their use and of their age. All takes O(1).
struct KeptValues {
    private(set) var count = 0
    /// The one that was not used for the longest first.
    private var byUse = EntryList(order: .byUse)
    /// The oldest one first; as all are kept for the same time, that expires first. Threads that keep values at the
    /// same time may get in each other's way here, after they have looked at the clock.
    private var byAge = EntryList(order: .byAge)

    var leastUsed: SharedEntry? { byUse.first }

    /// The oldest entry, if it has expired.
    func expired(at now: ContinuousClock.Instant) -> SharedEntry? {
        guard let oldest = byAge.first, oldest.hasExpired(at: now) else { return nil }
        return oldest
    }

    /// Counts the entry as used now; false if its value is not kept, or has expired.
    mutating func use(_ entry: SharedEntry, at now: ContinuousClock.Instant) -> Bool {
        guard entry.isKept, !entry.hasExpired(at: now) else { return false }
        byUse.remove(entry)
        byUse.append(entry)
        return true
    }

    mutating func add(_ entry: SharedEntry, until end: ContinuousClock.Instant?) {
        entry.isKept = true
        entry.end = end
        byUse.append(entry)
        byAge.append(entry)
        count += 1
    }

    mutating func remove(_ entry: SharedEntry) {
        entry.isKept = false
        byUse.remove(entry)
        byAge.remove(entry)
        count -= 1
    }
}

/// What there is for a key: a run in progress, or a value that is kept. A subclass has the key and the value.
// Safe to share: the lock of the state guards all of it, but for the value, which is not written again once it is kept.
// Tested by `SharingStressTests`, under the thread sanitizer.
class SharedEntry: KeyEntry, @unchecked Sendable {
    /// The run in progress.
    @exclusivity(unchecked) var flight: Flight?

    @exclusivity(unchecked) fileprivate(set) var isKept = false
    @exclusivity(unchecked) fileprivate var end: ContinuousClock.Instant?
    // The table retains the entries: links that did would be released one inside of the other.
    @exclusivity(unchecked) private var byUse = Links()
    @exclusivity(unchecked) private var byAge = Links()

    /// Stores the value of a run that has completed; returns false if it has none. To be called once, under the lock.
    func keepValue(of run: Node) -> Bool { fatalError("An entry has a value. This is a fault of the library.") }

    fileprivate func hasExpired(at now: ContinuousClock.Instant) -> Bool { end.map { $0 <= now } ?? false }
}

extension SharedEntry {
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

private struct EntryList {
    let order: SharedEntry.Order
    private(set) unowned(unsafe) var first: SharedEntry?
    private unowned(unsafe) var last: SharedEntry?

    init(order: SharedEntry.Order) { self.order = order }

    mutating func append(_ entry: SharedEntry) {
        entry[order] = SharedEntry.Links(before: last)
        if let last { last[order].behind = entry } else { first = entry }
        last = entry
    }

    mutating func remove(_ entry: SharedEntry) {
        let (before, behind) = (entry[order].before, entry[order].behind)
        if let before { before[order].behind = behind } else { first = behind }
        if let behind { behind[order].before = before } else { last = before }
    }
}
