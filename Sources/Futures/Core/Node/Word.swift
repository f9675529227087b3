// Word: a node's state in one atomic word.

public import Synchronization

/// What a node's atomic word says: the last listener of a pending node's list, or what became of it; and the lock.
@usableFromInline
enum Word {
    /// Nobody listens. Next is a list of listeners, or an end.
    @inlinable static var pending: UInt { 0 }
    /// Somebody is changing the word. Next is whatever they make of it, a few instructions later.
    @inlinable static var locked: UInt { 1 }
    /// The end: a value.
    @inlinable static var success: UInt { 2 }
    /// The end: an error.
    @inlinable static var failure: UInt { 4 }
    /// The end of its own: it settles when the node that it is linked to does.
    @inlinable static var linked: UInt { 8 }
    /// Beside an end: the node has passed on its source's result, which is still there. Its claim on that result
    /// belongs to this bit now: the thread that clears it ends the claim, or releases the result.
    static let keeps: UInt = 16
    /// Beside an end: the result may be released before the node is, so that reading it takes a claim.
    @inlinable static var tracked: UInt { 32 }
    /// Beside an end that is tracked: the unit in which the word counts claims, in the bits from here on.
    @inlinable static var claim: UInt { 64 }

    @inlinable static var settled: UInt { success | failure }

    /// How many claims a settled word counts.
    static func claims(_ word: UInt) -> UInt { word / claim }
}

extension Node {
    /// Takes the lock and returns the listeners; nil, without the lock, if the node has settled or is a link.
    ///
    /// It spins: whoever holds the lock changes a few words and calls nothing.
    func lock() -> Listeners? {
        var spins = 0
        while true {
            switch attempt() {
            case .locked(let listeners): return listeners
            case .ended: return nil
            case .busy:
                spins += 1
                if spins > 100 { yieldThread() }
            }
        }
    }

    enum Attempt {
        case locked(Listeners)
        case ended
        case busy
    }

    /// Takes the lock if that is free.
    func attempt() -> Attempt {
        let current = word.load(ordering: .acquiring)
        if current & (Word.settled | Word.linked) != 0 { return .ended }
        if current & Word.locked != 0 { return .busy }
        let (exchanged, _) = word.compareExchange(
            expected: current, desired: current | Word.locked,
            successOrdering: .acquiring, failureOrdering: .relaxed)
        return exchanged ? .locked(Listeners(last: current)) : .busy
    }

    /// Gives back the lock with what has become of the list.
    func unlock(_ listeners: Listeners) {
        publish(listeners.last)
    }

    /// Gives back the lock for the last time.
    func unlock(endedAs end: UInt) {
        publish(end)
    }

    /// Settles a node that nobody else has yet.
    @inlinable
    func begins(endedAs end: UInt) {
        publish(end)
    }

    /// Shows other threads all that this one has done to the node, references that it has taken included.
    ///
    /// A releasing store is not enough: the optimizer (LLVM's pass for Swift's reference counts, in 6.3) moves a retain
    /// down past any store, an atomic one too. So what was stored under the lock, or read there to be used after it,
    /// was retained only when another thread could have released it already. Past a fence it does not move it. On x86
    /// the fence is no instruction (decision 0025).
    @inlinable
    func publish(_ value: UInt) {
        atomicMemoryFence(ordering: .releasing)
        word.store(value, ordering: .releasing)
    }

    /// Whether the node has a result of its own; a link has not.
    @inlinable var isSettled: Bool { word.load(ordering: .acquiring) & Word.settled != 0 }

    @inlinable var isSuccess: Bool { word.load(ordering: .acquiring) & Word.success != 0 }

    @inlinable var isLink: Bool { word.load(ordering: .acquiring) == Word.linked }
}
