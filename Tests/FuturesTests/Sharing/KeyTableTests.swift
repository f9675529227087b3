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

@Suite struct KeyTableTests {
    /// Inserts and removes entries. Some keys have the same hash.
    @Test(arguments: [1, 3, 1000]) func `a table finds the entries of keys, whatever their hashes`(hashes: Int) {
        var (table, generator) = (KeyTable<Numbered>(), SystemRandomNumberGenerator())
        var (present, past) = ([Int: Numbered](), [Int: Numbered]())

        func find(_ key: Int) -> Numbered? { table.entry(key % hashes) { $0.key == key } }

        for _ in 0..<3000 {
            let key = Int.random(in: 0..<60, using: &generator)
            #expect(find(key) === present[key])
            if let entry = present.removeValue(forKey: key) {
                #expect(table.remove(entry) === entry)
                past[key] = entry
            } else {
                // A removed entry may be inserted again.
                let entry = past[key] ?? Numbered(key, hash: key % hashes)
                table.insert(entry)
                present[key] = entry
            }
            #expect(table.count == present.count)
        }
        let all = table.all.map { table.remove($0) }
        #expect(Set(all.map(ObjectIdentifier.init)) == Set(present.values.map(ObjectIdentifier.init)))
        #expect(table.count == 0)
        #expect(find(0) == nil)
    }
}
