// LateRelease: attempts to release what only other code refers to for the moment.

internal import Synchronization

/// Attempts to release the results that a cancelled chain has left, to whose nodes other code has references for the
/// moment. They end when nothing is left, or when their owner, a node or a combination, is deallocated.
///
/// The pauses between the attempts grow to 16 seconds, so that a variable that is kept for long costs little, and a
/// permit still goes back soon after it.
///
/// An attempt takes the results out under a lock, which the owner's deinit takes to end the attempts. It does not touch
/// the owner, only what the owner retains, and the owner's atomic. So the owner is deallocated where its last reference
/// is released, and not here, whatever the compiler retains for a moment. (Of nodes with a source, only records have
/// weak references: `Node.releaseSources` relies on counted ones.) The results are released without the lock, as that
/// may call user code.
///
///     the owner's bit       idle ── results are left ──► waiting ── an attempt begins ──► idle
///
/// The bit is cleared before the attempt looks. So of two threads that leave results, one starts an attempt that sees
/// what both have left.
final class LateRelease: Disposable, Sendable {
    /// Clears the owner's bit, and looks for results. Sets the bit again if some are left, and returns whether it was
    /// clear: then the next attempt is this object's task. Nil once the owner is deallocated.
    typealias Attempt = @Sendable (inout UnreadResults) -> Bool

    private let attempt: Locked<Attempt?>

    init(_ attempt: @escaping Attempt) { self.attempt = Locked(attempt) }

    func start() { tryAgain(after: .milliseconds(1)) }

    /// The pause after an attempt that came after `pause` and has found results that other code refers to.
    static func pause(after pause: Duration) -> Duration { min(pause * 4, .seconds(16)) }

    /// Prevents further attempts. Waits for the one in progress. The owner's deinit calls this before it releases what
    /// an attempt reads.
    func end() { _ = attempt.withLock { $0.take() } }

    func dispose() { end() }

    private func tryAgain(after pause: Duration) {
        // Not on a scheduler of the user's: its time may be virtual, and its threads may all wait for what is released
        // here. The search calls no user code, so the timers' thread can do it: there may be one for each run of a
        // repetition.
        Scheduler.ofTimers.async(after: pause) { [self] in
            var results = UnreadResults()
            let goesOn = attempt.withLock { $0.map { $0(&results) } ?? false }
            if goesOn { tryAgain(after: Self.pause(after: pause)) }
            results.releaseElsewhere()
        }
    }
}

extension Node {
    /// Looks later for what is left upstream of this node, which has settled, for as long as the node exists.
    @inline(never)
    func releaseUnreadLater() {
        guard Self.beginsToWait(word) else { return }
        // The run's own object is gone.
        guard let known = local else {
            let (word, source, combination) = (AddressOfAtomic(word), source, combinationOfRecipe)
            let late = LateRelease { results in
                word.pointer.pointee.bitwiseAnd(~Word.retries, ordering: .acquiringAndReleasing)
                if let source { results.add(source, keptBy: word.pointer.pointee) }
                if let combination { results.add(childrenOf: combination) }
                return !results.isComplete && Self.beginsToWait(word.pointer.pointee)
            }
            keepLocal(late)
            return late.start()
        }
        if let late = known as? LateRelease { return late.start() }
        // A node whose closure still runs keeps the turns that wait for that. Its job comes here again.
        word.bitwiseAnd(~Word.retries, ordering: .acquiringAndReleasing)
    }

    /// Sets the bit. Returns whether it was clear.
    private static func beginsToWait(_ word: borrowing Atomic<UInt>) -> Bool {
        word.bitwiseOr(Word.retries, ordering: .acquiringAndReleasing).oldValue & Word.retries == 0
    }

    /// Ends the attempts that refer to this node, which is being deallocated. Called if the node has a `local`.
    @inline(never)
    func endLateRelease() {
        // Its job has taken the `HeldTurns` that it may have kept, so that nothing else is left. Checked nevertheless.
        if isSettled, let local, type(of: local) == LateRelease.self {
            unsafeDowncast(local, to: LateRelease.self).end()
        }
    }
}

/// The address of an atomic of an object, to use it without a reference to the object, which must exist.
// Safe to share: an atomic stays at its place in the object. Tested by `LatePermitStressTests`.
struct AddressOfAtomic<Value: AtomicRepresentable>: @unchecked Sendable {
    let pointer: UnsafePointer<Atomic<Value>>

    init(_ atomic: borrowing Atomic<Value>) { pointer = withUnsafePointer(to: atomic) { $0 } }
}
