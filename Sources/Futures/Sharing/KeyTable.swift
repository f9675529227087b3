// KeyTable, KeyList: the entries of keys. Guarded by a lock, under which keys are compared, but not hashed.

/// The entries of keys, found by the hashes of the keys.
///
/// To be used under a lock. What it gives back has to be released without the lock: the deinit of a key is the user's.
struct KeyTable<Entry: KeyEntry> {
    /// The youngest entry of each hash, which leads to the older ones.
    // Not by the keys: a generic dictionary that the library uses looks for the metadata of its type in each operation.
    private var chains: [Int: Entry] = [:]
    private(set) var count = 0

    var all: [Entry] { chains.values.flatMap { sequence(first: $0, next: older) } }

    private func older(_ entry: Entry) -> Entry? { entry.older as? Entry }

    /// The entry of a key. `isEqual` compares the key with that of an entry of the same hash.
    func entry(_ hash: Int, where isEqual: (Entry) -> Bool) -> Entry? {
        var next = chains[hash]
        while let entry = next, !isEqual(entry) { next = older(entry) }
        return next
    }

    /// Adds an entry that is not there, after a search for its key has found none.
    mutating func insert(_ entry: Entry) {
        entry.isPresent = true
        entry.older = chains.updateValue(entry, forKey: entry.hash)
        count += 1
    }

    /// Takes out an entry that is there, and gives away the table's reference to it.
    mutating func remove(_ entry: Entry) -> Entry {
        let rest = older(entry)
        entry.older = nil
        entry.isPresent = false
        count -= 1
        if chains[entry.hash] === entry {
            chains[entry.hash] = rest
        } else {
            var younger: KeyEntry = chains[entry.hash]!
            while younger.older !== entry { younger = younger.older! }
            younger.older = rest
        }
        // A dictionary does not shrink by itself.
        if count == 0, chains.capacity > 64 { chains = [:] }
        return entry
    }
}

/// Entries of a table in an order, from which any can be removed in O(1). An entry is in one list at most.
struct KeyList<Entry: KeyEntry> {
    // The table retains the entries: links that did would be released one inside of the other.
    private(set) unowned(unsafe) var first: Entry?
    private unowned(unsafe) var last: Entry?

    mutating func append(_ entry: Entry) {
        (entry.previous, entry.next) = (last, nil)
        if let last { last.next = entry } else { first = entry }
        last = entry
    }

    mutating func remove(_ entry: Entry) {
        let (previous, next) = (entry.previous, entry.next)
        if let next { next.previous = previous } else { last = previous as? Entry }
        if let previous { previous.next = next } else { first = next as? Entry }
    }
}

/// What a table has for a key. A subclass has the key.
// Safe to share: `hash` never changes, and the lock of the table guards the rest. Tested by `KeyTableTests`, and by the
// tests of queues and caches under the thread sanitizer.
@usableFromInline
package class KeyEntry: @unchecked Sendable {
    /// The hash of the key, computed once, without the lock.
    @usableFromInline let hash: Int
    /// Whether it is in its table.
    @exclusivity(unchecked) final fileprivate(set) var isPresent = false
    /// The next older entry of the same hash.
    @exclusivity(unchecked) final fileprivate var older: KeyEntry?
    /// Its neighbors in a `KeyList`.
    @exclusivity(unchecked) final fileprivate unowned(unsafe) var previous: KeyEntry?
    @exclusivity(unchecked) final fileprivate unowned(unsafe) var next: KeyEntry?

    @usableFromInline
    init(hash: Int) { self.hash = hash }
}
