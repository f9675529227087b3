// Stores: the last stores to an atomic, of which a thread may not have seen the latest.

/// The last stores to an atomic, in the order in which they were made.
///
/// A load need not return the value that was stored last, if neither the store nor a load that has returned its value
/// happens before: then the processor may still have an older one (as in CDSChecker, Norris and Demsky 2013). An update
/// always finds the last one.
struct Stores {
    private struct Store {
        /// What a load that acquires learns.
        var released = Clock()
        /// For each thread its first step at which it has stored or seen this value, or a later one.
        var seen = Clock()
    }

    /// The number of stores, besides the last one, that a load may still see.
    static let ageLimit = 3

    private static let never = Clock(repeating: .max)
    private var all = [Store()]

    /// How many of the last stores a thread may not have seen, at this clock.
    func unseenCount(at clock: Clock) -> Int {
        let seen = all.lastIndex { any($0.seen .<= clock) } ?? 0
        return all.count - 1 - seen
    }

    /// Returns what the store has released.
    mutating func load(age: Int, by thread: Int, at clock: Clock) -> Clock {
        let loaded = all.count - 1 - age
        var index = loaded
        while index >= 0, all[index].seen[thread] > clock[thread] {
            all[index].seen[thread] = clock[thread]
            index -= 1
        }
        return all[loaded].released
    }

    /// `continues`: whether it is an update, which releases what the store before it has released, too.
    mutating func add(releasing released: Clock, continues: Bool, by thread: Int, at clock: Clock) {
        var store = Store(released: released, seen: Self.never)
        if continues { store.released.join(all.last!.released) }
        store.seen[thread] = clock[thread]
        all.append(store)
        if all.count > Self.ageLimit + 1 { all.removeFirst() }
    }
}
