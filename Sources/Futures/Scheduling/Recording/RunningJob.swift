// RunningJob: which jobs threads are running, for diagnosing.

/// A job in progress on a thread, while `Recording` is on: what occupies a scheduler.
package final class RunningJob: Sendable {
    /// The scheduler that the thread executes; nil for code outside of all.
    package let scheduler: Scheduler?
    package let job: Job
    package let started = ContinuousClock.now

    private static let known = Locked<[RunningJob]>([])

    /// All that are in progress, those that started first in front.
    package static var all: [RunningJob] { known.withLock { $0 } }

    private init(_ job: Job, on scheduler: Scheduler?) {
        self.job = job
        self.scheduler = scheduler
    }

    /// Runs `job` and lists it meanwhile.
    @inline(never)
    static func run(_ job: Job) {
        let running = RunningJob(job, on: ThreadState.here.scheduler?.takeUnretainedValue())
        known.withLock { $0.append(running) }
        job.run()
        // The last reference is the one of this function, so that none is released under the lock.
        known.withLock { $0.removeAll { $0 === running } }
    }
}
