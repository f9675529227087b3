// Explorer: runs the threads of an exploration. Compiled only for that.

package import Synchronization

/// Runs the threads of an exploration, and ignores all others.
package protocol Explorer: AnyObject, Sendable {
    /// The calling thread is at `point`. Returns when the thread may continue.
    func reach(_ point: ExplorationPoint)

    /// The calling thread is about to load from an atomic. Returns how many stores before the last one it was that
    /// has stored what the thread sees: a number for which `differs` returns true, or zero.
    func load(_ atomic: UnsafeRawPointer, acquires: Bool, differs: (Int) -> Bool) -> Int

    /// A compare-and-exchange was made. `acquires`: in the case that has come.
    func exchanged(_ atomic: UnsafeRawPointer, acquires: Bool, releases: Bool, _ hasChanged: Bool)

    /// Whether the calling thread belongs to the exploration.
    var runsThisThread: Bool { get }

    func access(_ memory: UnsafeRawPointer, _ access: ExploredAccess)

    /// Takes a block that was submitted to a dispatch queue.
    func submit(_ block: @escaping @Sendable () -> Void, to queue: ObjectIdentifier, isSerial: Bool)

    /// Runs blocks that were submitted, or lets time pass. To be called by threads that are not explored.
    func runWhatWaits()

    /// The time since the explorer has begun.
    var time: Duration { get }

    /// Has the timers fire at a time.
    func setTimer(for time: Duration)
}

/// Something that a thread is about to do. An explorer may run other threads first.
@usableFromInline
package enum ExplorationPoint {
    /// An access to an atomic. `acquires`, `releases`: what its ordering promises.
    case load(UnsafeRawPointer, acquires: Bool)
    case store(UnsafeRawPointer, releases: Bool)
    case update(UnsafeRawPointer, acquires: Bool, releases: Bool)
    /// A compare-and-exchange, which is an update, or a load if it fails.
    case exchange(UnsafeRawPointer)
    /// A fence that makes the stores behind it release.
    case fence
    /// The locks of `Locked`.
    case lock(UnsafeRawPointer)
    case unlock(UnsafeRawPointer)
    /// The thread asks whether a reference is the only one.
    case askUnique
    /// The thread waits until another thread makes progress.
    case wait
}

/// How many nodes there are.
package let exploredNodes = Synchronization.Atomic<Int>(0)

/// The explorer. Set before its threads begin.
// Safe to share: tests set it while no other thread uses the library.
package nonisolated(unsafe) var explorer: (any Explorer)?

@usableFromInline
func countNode(_ difference: Int) { exploredNodes.add(difference, ordering: .relaxed) }

@usableFromInline
func reachPoint(_ point: ExplorationPoint) { explorer?.reach(point) }

@usableFromInline
func noteAccess(_ access: ExploredAccess, of memory: UnsafeRawPointer) { explorer?.access(memory, access) }
