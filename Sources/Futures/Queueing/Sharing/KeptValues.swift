// KeptValues: so many values by their keys, those that were used last.

/// So many values by their keys; the one goes that was not used for the longest. All takes O(1).
struct KeptValues<Key: Hashable, Value> {
    private final class Entry {
        let key: Key
        let value: Value
        let end: ContinuousClock.Instant?
        var byUse = Links()
        var byAge = Links()

        init(_ key: Key, _ value: Value, _ end: ContinuousClock.Instant?) {
            self.key = key
            self.value = value
            self.end = end
        }
    }

    // The entries are the dictionary's: links that kept them would be released one inside of the other.
    private struct Links {
        unowned(unsafe) var before: Entry?
        unowned(unsafe) var behind: Entry?
    }

    private struct Line {
        let links: ReferenceWritableKeyPath<Entry, Links>
        private(set) unowned(unsafe) var first: Entry?
        private unowned(unsafe) var last: Entry?

        init(_ links: ReferenceWritableKeyPath<Entry, Links>) { self.links = links }

        mutating func append(_ entry: Entry) {
            entry[keyPath: links] = Links(before: last)
            if let last { last[keyPath: links].behind = entry } else { first = entry }
            last = entry
        }

        mutating func remove(_ entry: Entry) {
            let (before, behind) = (entry[keyPath: links].before, entry[keyPath: links].behind)
            if let before { before[keyPath: links].behind = behind } else { first = behind }
            if let behind { behind[keyPath: links].before = before } else { last = before }
        }
    }

    let maxCount: Int
    private var entries: [Key: Entry] = [:]
    /// The one that was not used for the longest first.
    private var byUse = Line(\.byUse)
    /// The oldest one first; as all are kept for the same time, that expires first. Threads that keep values at the same
    /// time may get in each other's way here, after they have looked at the clock.
    private var byAge = Line(\.byAge)

    init(maxCount: Int) { self.maxCount = maxCount }

    var count: Int { entries.count }

    /// The value, which counts as used now, unless it has expired.
    mutating func use(_ key: Key, at now: ContinuousClock.Instant) -> Value? {
        guard let entry = entries[key], entry.end.map({ $0 > now }) ?? true else { return nil }
        byUse.remove(entry)
        byUse.append(entry)
        return entry.value
    }

    /// Keeps a value, and returns what has to go for it.
    mutating func keep(_ value: Value, for key: Key, until end: ContinuousClock.Instant?) -> [AnyObject] {
        guard maxCount > 0 else { return [] }
        var dropped: [AnyObject] = []
        if let old = remove(key) { dropped.append(old) }
        if entries.count == maxCount, let oldest = byUse.first { dropped.append(remove(oldest)) }
        let entry = Entry(key, value, end)
        entries[key] = entry
        byUse.append(entry)
        byAge.append(entry)
        return dropped
    }

    mutating func dropExpired(at now: ContinuousClock.Instant) -> [AnyObject] {
        var dropped: [AnyObject] = []
        while let oldest = byAge.first, let end = oldest.end, end <= now { dropped.append(remove(oldest)) }
        return dropped
    }

    /// Takes out what there is for `key`. Whoever gets it releases it, and so the value and the key.
    mutating func remove(_ key: Key) -> AnyObject? {
        entries[key].map { remove($0) }
    }

    private mutating func remove(_ entry: Entry) -> AnyObject {
        byUse.remove(entry)
        byAge.remove(entry)
        entries[entry.key] = nil
        return entry
    }
}
