// KeyTable: the entries of keys, compared with an array.

import Testing

@testable import Futures

private final class Numbered: KeyEntry, @unchecked Sendable {
    let key: Int

    init(_ key: Int, hash: Int) {
        self.key = key
        super.init(hash: hash)
    }
}

private struct State: KeyedState {
    var table = KeyTable()
    func readTable<T>(_ body: (borrowing KeyTable) -> T) -> T { body(table) }
}

@Suite struct KeyTableTests {
    /// Inserts and removes entries, also during searches. Some keys have the same hash.
    @Test(arguments: [1, 3, 1000]) func `a table finds the entries of keys, whatever their hashes`(hashes: Int) {
        let state = Locked(State())
        var generator = SystemRandomNumberGenerator()
        var (present, past) = ([Int: Numbered](), [Int: Numbered]())

        func change(_ key: Int) {
            if let entry = present.removeValue(forKey: key) {
                #expect(state.withLock { $0.table.remove(entry) } === entry)
                past[key] = entry
            } else {
                // A removed entry may be inserted again.
                let entry = past[key] ?? Numbered(key, hash: key % hashes)
                state.withLock { $0.table.insert(entry) }
                present[key] = entry
            }
        }

        func find(_ key: Int, meanwhile: () -> Void = {}) -> KeyEntry? {
            state.withLock(entryOf: key % hashes, knownAs: Bool.random(using: &generator) ? past[key] : nil) {
                meanwhile()
                return (unsafeDowncast($0, to: Numbered.self)).key == key
            } _: {
                $1
            }
        }

        for _ in 0..<3000 {
            let key = Int.random(in: 0..<60, using: &generator)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: change(key)
            case 1: #expect(find(key) === present[key])
            default:
                let found = find(key) {
                    let other = Int.random(in: 0..<60, using: &generator)
                    if other != key || Bool.random(using: &generator) { change(other) }
                }
                #expect(found === present[key])
            }
            #expect(state.withLock { $0.table.count } == present.count)
        }
        let all = state.withLock { $0.table.removeAll() }
        #expect(Set(all.map(ObjectIdentifier.init)) == Set(present.values.map(ObjectIdentifier.init)))
        #expect(state.withLock { $0.table.count } == 0)
        #expect(find(0) == nil)
    }
}
