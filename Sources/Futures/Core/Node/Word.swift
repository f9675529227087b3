// Word, Marks: the state of a node in one atomic word, and what becomes true of it at some time and stays true.

public import Synchronization

/// The contents of a node's atomic word: the last listener of a pending node's list, or what became of the node; and
/// the lock.
@usableFromInline
enum Word {
    /// Pending, without listeners. Next is a list of listeners, or an end.
    @inlinable static var pending: UInt { 0 }
    /// A thread holds the lock. Next is the word that this thread stores soon.
    @inlinable static var locked: UInt { 1 }
    /// The end: a value.
    @inlinable static var success: UInt { 2 }
    /// The end: an error.
    @inlinable static var failure: UInt { 4 }
    /// The end of a link: the node settles when the node that it is linked to does.
    @inlinable static var linked: UInt { 8 }
    /// With an end: the node refers to what may not have ended of the work that was stopped (`Unfinished`).
    static let unfinished: UInt = 32

    @inlinable static var settled: UInt { success | failure }
}

extension Node {
    /// Takes the lock and returns the listeners. Returns nil, without the lock, if the node has settled or is a link.
    ///
    /// It spins: no user code runs under the lock, and all but searches hold it for a few instructions.
    func lock() -> Listeners? {
        var spins = 0
        while true {
            let current = word.load(ordering: .acquiring)
            if current & (Word.settled | Word.linked) != 0 { return nil }
            if let listeners = tryLock(current) { return listeners }
            reachExplorationPoint(.wait)
            spins += 1
            if spins > 100 { yieldThread() }
        }
    }

    /// Takes the lock if it is free, as it was in `current`, and the node has not settled and is no link.
    func tryLock(_ current: UInt) -> Listeners? {
        if current & (Word.settled | Word.linked | Word.locked) != 0 { return nil }
        let (exchanged, _) = word.compareExchange(
            expected: current, desired: current | Word.locked,
            successOrdering: .acquiring, failureOrdering: .relaxed)
        return exchanged ? Listeners(last: current) : nil
    }

    func tryLock() -> Listeners? { tryLock(word.load(ordering: .acquiring)) }

    /// Calls `body` with the lock. Returns nil if the node has settled or is a link. What `body` releases is released
    /// without the lock.
    package func withLock<T>(_ body: (Listeners) -> T) -> T? {
        var result: T?
        DeferredReleases.here.collect {
            guard let listeners = lock() else { return }
            result = body(listeners)
            unlock(listeners)
        }
        return result
    }

    /// Gives the lock back, and stores the list as it is now.
    func unlock(_ listeners: Listeners) { storeWord(listeners.last) }

    /// Stores the word, which gives the lock back. It shows other threads all that this thread has done to the node,
    /// including the references that it has taken.
    ///
    /// A releasing store is not enough: the optimizer (LLVM's pass for Swift's reference counts, in 6.3) moves a retain
    /// down past any store, even an atomic one, but not past a fence. Then an object was retained only when another thread
    /// could already have released it. On x86, the fence is no instruction (decision 0025).
    @inlinable
    func storeWord(_ value: UInt) {
        atomicMemoryFence(ordering: .releasing)
        word.store(value, ordering: .releasing)
    }

    /// Whether the node has a result of its own. A link has none.
    @inlinable package var isSettled: Bool { word.load(ordering: .acquiring) & Word.settled != 0 }

    @inlinable package var isSuccess: Bool { word.load(ordering: .acquiring) & Word.success != 0 }

    @inlinable var isLink: Bool { word.load(ordering: .acquiring) == Word.linked }
}

/// What has become true of a node. A thread that sets a mark reads no other memory because of it, so the accesses are
/// relaxed.
@usableFromInline
package struct Marks: ~Copyable {
    /// There is a `Record` of the node, which its deinit removes.
    package static let recorded: UInt8 = 2
    /// Another node, a thread or a task has listened to the node, or read its error, while `Recording` was on.
    package static let observed: UInt8 = 4
    /// The node has captured the task-local values that were carried where it was made, if any.
    static let hasCaptured: UInt8 = 8

    @usableFromInline let bits = Atomic<UInt8>(0)

    @inlinable
    init() {}

    package func contains(_ mark: UInt8) -> Bool { bits.load(ordering: .relaxed) & mark != 0 }

    /// Sets a mark. Returns false if it was set before.
    @discardableResult
    package func insert(_ mark: UInt8) -> Bool { bits.bitwiseOr(mark, ordering: .relaxed).oldValue & mark == 0 }
}
