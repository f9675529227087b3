// KeyTable: the entries of keys. Guarded by a lock, under which keys are compared, but not hashed.

/// The entries of keys, found by their hashes or their numbers.
///
/// To be used under a lock. What it gives back has to be released without the lock: the deinit of a key is the user's.
struct KeyTable {
    /// The entries by their numbers, and the numbers at which none is.
    private var entries: [KeyEntry?] = []
    private var free: [Int32] = []
    private var insertions = 0
    /// The oldest entry of each chain, which leads to the younger ones. The number of chains is a power of two.
    // A dictionary would hash the hashes: 5 % of an operation of a queue.
    private var chains: [Unmanaged<KeyEntry>?] = []

    var count: Int { entries.count - free.count }

    var all: [KeyEntry] { entries.compactMap { $0 } }

    func contains(_ entry: KeyEntry) -> Bool { self[entry.number] === entry }

    /// The entry of this number, if there is one. Numbers are used again.
    subscript(number: Int32) -> KeyEntry? {
        number < entries.count ? entries[Int(number)] : nil
    }

    /// The entry of a key. `isEqual` compares the key with that of an entry of the same hash.
    func entry(_ hash: Int, where isEqual: (KeyEntry) -> Bool = { _ in true }) -> KeyEntry? {
        if chains.isEmpty { return nil }
        var next = chains[chain(hash)]
        while let entry = next {
            let found = entry._withUnsafeGuaranteedRef {
                next = $0.next
                return $0.hash == hash && isEqual($0)
            }
            if found { return entry.takeUnretainedValue() }
        }
        return nil
    }

    @inline(__always)
    private func chain(_ hash: Int) -> Int {
        // The upper bits of the product depend on all bits of a hash, also of one that a user made.
        let mixed = UInt64(truncatingIfNeeded: hash) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 32) & (chains.count - 1)
    }

    /// Adds an entry that is not there, after a search for its key has found none.
    mutating func insert(_ entry: KeyEntry) {
        if count >= chains.count { grow() }
        insertions += 1
        entry.insertion = insertions
        if let number = free.popLast() {
            entry.number = number
            entries[Int(number)] = entry
        } else {
            entry.number = Int32(entries.count)
            entries.append(entry)
        }
        append(.passUnretained(entry))
    }

    private mutating func append(_ entry: Unmanaged<KeyEntry>) {
        let chain = entry._withUnsafeGuaranteedRef {
            $0.next = nil
            return self.chain($0.hash)
        }
        guard var youngest = chains[chain] else { return chains[chain] = entry }
        while let next = youngest._withUnsafeGuaranteedRef({ $0.next }) { youngest = next }
        youngest._withUnsafeGuaranteedRef { $0.next = entry }
    }

    private mutating func grow() {
        let old = chains
        chains = Array(repeating: nil, count: max(8, 2 * old.count))
        for first in old {
            var next = first
            while let entry = next {
                next = entry._withUnsafeGuaranteedRef { $0.next }
                append(entry)
            }
        }
    }

    /// Takes out an entry that is there, and gives away the table's reference to it.
    mutating func remove(_ entry: KeyEntry) -> KeyEntry {
        let reference = Unmanaged.passUnretained(entry)
        let chain = self.chain(entry.hash)
        if chains[chain]?.toOpaque() == reference.toOpaque() {
            chains[chain] = entry.next
        } else {
            var previous = chains[chain]!
            while let next = previous._withUnsafeGuaranteedRef({ $0.next }), next.toOpaque() != reference.toOpaque() {
                previous = next
            }
            previous._withUnsafeGuaranteedRef { $0.next = entry.next }
        }
        free.append(entry.number)
        let removed = entries[Int(entry.number)].take()!
        // A table does not shrink by itself.
        if free.count == entries.count, free.count > 64 { (entries, free, chains) = ([], [], []) }
        return removed
    }

    /// Takes out all entries, and gives away the references to them.
    mutating func removeAll() -> [KeyEntry] {
        defer { (entries, free, chains) = ([], [], []) }
        return all
    }
}

/// What a table has for a key. A subclass has the key.
// Safe to share: `hash` never changes, and the lock of the table guards the rest. Tested by `KeyTableTests`, and by the
// tests of queues and caches under the thread sanitizer.
@usableFromInline
package class KeyEntry: @unchecked Sendable {
    /// The hash of the key, computed once, without the lock.
    @usableFromInline let hash: Int
    /// The entry's place in the table, while it is there.
    @exclusivity(unchecked) fileprivate(set) var number: Int32 = 0
    /// Which insertion of the table this is: no other entry has the same number and insertion.
    @exclusivity(unchecked) fileprivate(set) var insertion = 0
    /// The next younger entry of the chain. The table retains it: a long chain would be released recursively.
    @exclusivity(unchecked) fileprivate var next: Unmanaged<KeyEntry>?

    @usableFromInline
    init(hash: Int) { self.hash = hash }
}
