// KeyTable: the entries of keys. Guarded by a lock, under which no key is hashed or compared.

/// The entries of keys, found by their hashes or their numbers. It calls nothing of a key.
///
/// To be used under a lock. What it gives back has to be released without the lock: the deinit of a key is the user's.
struct KeyTable {
    /// The entries by their numbers, and the numbers at which none is.
    private var entries: [KeyEntry?] = []
    private var free: [Int32] = []
    /// The oldest entry of each chain, which leads to the younger ones. The number of chains is a power of two.
    // A dictionary would hash the hashes: 5 % of an operation of a queue.
    private var chains: [Unmanaged<KeyEntry>?] = []
    private var age = 0

    var count: Int { entries.count - free.count }

    var all: [KeyEntry] { entries.compactMap { $0 } }

    func contains(_ entry: KeyEntry) -> Bool { self[entry.number] === entry }

    /// The entry of this number, if there is one. Numbers are used again.
    subscript(number: Int32) -> KeyEntry? {
        number < entries.count ? entries[Int(number)] : nil
    }

    /// The oldest entry of this hash that is younger than `age`; `last` may be the one of that age.
    func next(_ hash: Int, after last: KeyEntry?, _ age: Int) -> KeyEntry? {
        if chains.isEmpty { return nil }
        var next = chains[chain(hash)]
        if let last, last.age == age, contains(last) { next = last.next }
        while let entry = next {
            let found = entry._withUnsafeGuaranteedRef {
                next = $0.next
                return $0.hash == hash && $0.age > age
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
        age += 1
        entry.age = age
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
    /// Larger than that of all entries that were inserted before.
    @exclusivity(unchecked) fileprivate(set) var age = 0
    /// The next younger entry of the chain. The table retains it: a long chain would be released recursively.
    @exclusivity(unchecked) fileprivate var next: Unmanaged<KeyEntry>?

    @usableFromInline
    init(hash: Int) { self.hash = hash }
}

/// A state with a table.
protocol KeyedState {
    // Not a property: the table would be copied.
    func readTable<T>(_ body: (borrowing KeyTable) -> T) -> T
}

extension Locked where Value: KeyedState {
    /// Calls `body` under the lock with the entry of a key, or nil if the key has none. `isEqual` compares the key with
    /// that of an entry of the same hash, without the lock. `known` is an entry of the key, which may be in the table
    /// or not.
    ///
    /// `hash` and `==` of a key are code of the user, which may block or use what the lock guards. So this goes by
    /// turns: with the lock, it finds the next entry; without it, the keys are compared; with the lock again, the
    /// answer is checked. It compares with the oldest one first, and so misses none that is inserted meanwhile.
    func withLock<T>(
        entryOf hash: Int, knownAs known: KeyEntry? = nil, where isEqual: (KeyEntry) -> Bool,
        _ body: (inout Value, KeyEntry?) -> T
    ) -> T {
        var match = known
        // The entry that was compared last, and its age then: all that are older have been compared, too.
        var last: KeyEntry?
        var age = 0
        while true {
            var candidate: KeyEntry?
            let value: T? = withLock { state in
                if let match, state.readTable({ $0.contains(match) }) { return body(&state, match) }
                candidate = state.readTable { $0.next(hash, after: last, age) }
                guard let candidate else { return body(&state, nil) }
                age = candidate.age
                return nil
            }
            if let value { return value }
            guard let candidate else { continue }
            if isEqual(candidate) { match = candidate } else { last = candidate }
        }
    }
}
