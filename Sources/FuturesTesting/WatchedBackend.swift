// WatchedBackend: what notices that work leaves a scheduler whose clock a test controls.

import Futures

/// The mechanism of a real scheduler, as the jobs of virtual time use it.
struct WatchedBackend: SchedulerBackend {
    private let scheduler: Scheduler
    private let real: any SchedulerBackend
    private let watch: VirtualClock

    /// Returns nil if nothing that is passed to `scheduler` is an escape.
    init?(of scheduler: Scheduler, _ real: any SchedulerBackend, for watch: VirtualClock) {
        // The library's own jobs are no work of the test.
        if real.hasOwnClock || scheduler === Scheduler.unblocked { return nil }
        self.scheduler = scheduler
        self.real = real
        self.watch = watch
    }

    var isSerial: Bool { real.isSerial }
    var description: String { real.description }
    var identity: ObjectIdentifier { real.identity }
    var isCurrent: Bool { real.isCurrent }

    var now: ContinuousClock.Instant {
        watch.note("a reading of the clock", on: scheduler)
        return real.now
    }

    func enqueue(_ job: Job, isLast: Bool, for scheduler: Scheduler) {
        note(job)
        real.enqueue(job, isLast: isLast, for: scheduler)
    }

    func enqueue(
        _ work: @escaping @Sendable () -> Void, after delay: Duration, for scheduler: Scheduler
    ) -> any Disposable {
        if scheduler !== Scheduler.unblocked { watch.note("a timer of \(delay)", on: scheduler) }
        return real.enqueue(work, after: delay, for: scheduler)
    }

    func sync(for scheduler: Scheduler, _ work: () -> Void) { real.sync(for: scheduler, work) }

    private func note(_ job: Job) {
        // `immediate` runs it in place, and the code of an actor has to run on the actor.
        if scheduler.isImmediate || scheduler.isIsolating { return }
        watch.note("a callback" + (job.sourceInWords.map { " of the future made at \($0)" } ?? ""), on: scheduler)
    }
}
