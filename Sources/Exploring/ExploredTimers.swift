// Explored timers: the heap of timers where interleavings are explored, with a clock of the explorer's.

package enum ExploredTimers {
    // Safe to share: the explorer sets it while none of its threads runs.
    nonisolated(unsafe) static var timers = Timers()

    /// Enqueues the jobs that are due. The explorer calls it when the time has come for which it was set.
    package static func fire() { timers.fire() }

    /// Forgets all timers, as the clock of another explorer begins.
    package static func reset() { timers = Timers() }
}
