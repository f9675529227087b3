// RunningJob: which jobs threads are running, for diagnosing.

import Futures

/// A job in progress on a thread, while `Recording` is on: what occupies a scheduler.
struct RunningJob: Sendable {
    /// The scheduler that the thread executes; nil for code outside of all.
    let scheduler: Scheduler?
    let job: Job
    let started: ContinuousClock.Instant
    /// Another value with the same address and start is the same call.
    let address: UInt

    /// The node whose job it is; nil for another job.
    var node: Node? { (job as? Node)?.resolved }

    /// Whether the scheduler can run nothing else until the job returns.
    var isBlocking: Bool { scheduler?.backend.isSerial ?? false }

    /// What is listed. It retains nothing: whether a node is the only reference to another one decides what is released
    /// early.
    // Safe to share: the thread that runs the job refers to it and to the scheduler for as long as the entry is listed.
    private final class Entry: @unchecked Sendable {
        let scheduler: Unmanaged<Scheduler>?
        let job: Unmanaged<Job>
        let started = ContinuousClock.now

        init(_ job: Job, on scheduler: Unmanaged<Scheduler>?) {
            self.scheduler = scheduler
            self.job = .passUnretained(job)
        }

        /// Its address: that of another entry, too, once this one has ended.
        var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
    }

    private static let known = Locked<[Entry]>([])

    /// All that are in progress, those that started first in front.
    static var all: [RunningJob] { all(startedBefore: .now) }

    /// Those that started before this instant. No other job is retained meanwhile.
    static func all(startedBefore instant: ContinuousClock.Instant) -> [RunningJob] {
        known.withLock { entries in
            entries.filter { $0.started < instant }.map {
                RunningJob(
                    scheduler: $0.scheduler?.takeUnretainedValue(), job: $0.job.takeUnretainedValue(),
                    started: $0.started, address: $0.address)
            }
        }
    }

    /// Runs `job` and lists it meanwhile.
    @inline(never)
    static func run(_ job: Job, on scheduler: Unmanaged<Scheduler>?) {
        let entry = Entry(job, on: scheduler)
        known.withLock { $0.append(entry) }
        job.run()
        known.withLock { $0.removeAll { $0 === entry } }
    }
}
