// DelayedJob: work that waits for its time, and the disposable that stops it.

internal import Synchronization

/// Work that waits for its time. One object is the scheduler's job, the heap's element and the disposable.
///
///     waiting ──its time comes──► enqueued ──its scheduler runs it──► run
///        └────── dispose ────────────┴───────────────────────────────► disposed
///
/// A disposed job may still be in its scheduler's queue. It does nothing there, and its work is released already.
// Safe to share: `work` belongs to the one caller that turns `isTaken` from false to true; `place` and `scheduler` are
// accessed by the owner of the heap only, which is under the lock of `Timers`. Held by `TimerHeapTests` and
// `TimersStressTests`, under the thread sanitizer.
package final class DelayedJob: Job, Disposable, @unchecked Sendable {
    @exclusivity(unchecked) private var work: (@Sendable () -> Void)?
    private let isTaken = Atomic<Bool>(false)

    /// The index in the heap; negative outside of it.
    @exclusivity(unchecked) var place = -1

    /// The scheduler that will run this, retained for as long as this is in the heap of `Timers`.
    @exclusivity(unchecked) var scheduler: Unmanaged<Scheduler>?

    package init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
        super.init()
    }

    package override func run() { take()?() }

    /// Stops the timer and releases the work; does nothing if that has started or was disposed.
    package func dispose() {
        guard let work = take() else { return }
        Timers.shared.remove(self)
        // The last thing that happens: releasing it may run code of users.
        DeferredReleases.here.release(closure: work)
    }

    private func take() -> (@Sendable () -> Void)? {
        isTaken.exchange(true, ordering: .acquiringAndReleasing) ? nil : work.take()
    }
}
