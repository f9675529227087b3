// DelayedJob: work that waits for its deadline, and the disposable that stops it.

internal import Synchronization

/// Work that waits for its deadline. One object is the scheduler's job, the heap's element and the disposable.
///
///     waiting ──its deadline passes──► enqueued ──its scheduler runs it──► run
///        └───────── dispose ──────────────┴──────────────────────────────► disposed
///
/// A disposed job may still be in its scheduler's queue, without its work.
// Safe to share: `work` belongs to the one caller that changes `isTaken` from false to true; `place` and `scheduler` to
// the owner of the heap, under its lock, and then to the thread that has taken the job out. Tested by `TimerHeapTests`
// and `TimerProgramTests`, under the thread sanitizer.
package final class DelayedJob: Job, Disposable, @unchecked Sendable {
    @exclusivity(unchecked) private var work: Closure?
    private let isTaken = Atomic<Bool>(false)

    /// The index in the heap, or negative if it is in none.
    @exclusivity(unchecked) var place = -1

    /// The scheduler that will run this, retained for as long as this is in the heap of `Timers`.
    @exclusivity(unchecked) var scheduler: Scheduler?

    package init(_ work: @escaping @Sendable () -> Void) {
        self.work = Closure(work)
        super.init()
        noteExplored(.forget, of: self)
    }

    package override func run() { take()?.call() }

    /// Stops the timer and releases the work. Does nothing if the work has started or was disposed.
    package func dispose() {
        guard let work = take() else { return }
        Timers.shared.remove(self)
        // The last step, because releasing it may run user code.
        DeferredReleases.here.release(closure: work)
    }

    private func take() -> Closure? {
        guard !isTaken.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
        noteExplored(.write, of: self)
        return work.take()
    }
}
