// Word: a node's state in one atomic word.

internal import Synchronization

/// What a node's atomic word says: the last listener of a pending node's list, or how it settled; and the lock.
enum Word {
    /// Nobody listens. Next is a list of listeners, or settled.
    static let pending: UInt = 0
    /// Somebody is changing the word. Next is whatever they make of it, a few instructions later.
    static let locked: UInt = 1
    /// The end: a value.
    static let success: UInt = 2
    /// The end: an error.
    static let failure: UInt = 4
    /// The end: whatever the node that it is linked to settles with.
    static let linked: UInt = 8

    static let settled = success | failure | linked

    static func isSettled(_ word: UInt) -> Bool { word & settled != 0 }
}

extension Node {
    /// Takes the lock and returns the listeners; nil, without the lock, if the node has settled.
    ///
    /// It spins: whoever holds the lock changes a few words and calls nothing.
    func lock() -> Listeners? {
        var spins = 0
        var current = word.load(ordering: .acquiring)
        while true {
            if Word.isSettled(current) { return nil }
            if current & Word.locked != 0 {
                spins += 1
                if spins > 100 { yieldThread() }
                current = word.load(ordering: .acquiring)
                continue
            }
            let (exchanged, original) = word.weakCompareExchange(
                expected: current, desired: current | Word.locked,
                successOrdering: .acquiring, failureOrdering: .acquiring)
            if exchanged { return Listeners(last: current) }
            current = original
        }
    }

    /// Gives back the lock with what has become of the list.
    func unlock(_ listeners: Listeners) {
        word.store(listeners.last, ordering: .releasing)
    }

    /// Gives back the lock for the last time.
    func unlock(settledAs end: UInt) {
        word.store(end, ordering: .releasing)
    }

    var isSuccess: Bool { word.load(ordering: .acquiring) == Word.success }

    var isSettled: Bool { Word.isSettled(word.load(ordering: .acquiring)) }
}
