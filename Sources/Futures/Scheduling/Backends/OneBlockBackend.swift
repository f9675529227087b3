// Backends of the library's own jobs, which wait for no thread that users may block.

internal import Dispatch

/// Runs each job on a dispatch queue of its own, so that it neither waits for blocked threads nor for other jobs.
///
/// A queue for a job costs more than a job does elsewhere: this is for rare jobs, such as a time limit that has passed,
/// which other threads may wait for and which may call user code.
struct OneBlockBackend: SchedulerBackend {
    private final class Mark: Sendable {}
    private let mark = Mark()

    var isSerial: Bool { false }
    let description: String
    var identity: ObjectIdentifier { ObjectIdentifier(mark) }
    var isCurrent: Bool { false }

    /// The scheduler that is current in the jobs; by default, the one on which they are enqueued.
    var visible: Scheduler?

    func enqueue(_ job: Job, for scheduler: Scheduler) {
        let (jobs, visible) = (JobList(job), visible ?? scheduler)
        DispatchQueue.forOneBlock("futures.unblocked").submit { visible.run(jobs) }
    }

    func sync<T>(for scheduler: Scheduler, _ work: () throws -> T) rethrows -> T { try work() }
}

extension Scheduler {
    /// Runs jobs that must not wait for threads that users block.
    package static let unblocked = Scheduler(backend: OneBlockBackend(description: "unblocked"), isImmortal: true)

    /// The same for the time limits and the rates of queues, which belong to users' operations.
    static let ofLimits = Scheduler(backend: OneBlockBackend(description: "limits of queues"), isImmortal: true)

    /// Runs the timers of `.immediate`. In their work, the current scheduler is `.concurrentBackground`, but they do not
    /// wait for that one's threads, which may be blocked.
    static let ofImmediate = Scheduler(
        backend: OneBlockBackend(description: "timers of immediate", visible: .concurrentBackground),
        isImmortal: true)

    /// A scheduler for the limits that this one's clock measures: this one if it has a clock of its own. Otherwise one
    /// that has a thread for it, as this one may be blocked by a wait that ends by the limit.
    // In a simulation all schedulers have its clock, so the real backend is asked. Not inlined: it would be in a line
    // several times.
    @inline(never)
    var forLimits: Scheduler { realBackend.hasOwnClock ? self : .ofLimits }
}

/// Runs each job on the thread that enqueues it: the timers' thread, for work that calls no user code and does not
/// block.
struct TimersBackend: SchedulerBackend {
    private final class Mark: Sendable {}
    private let mark = Mark()

    var isSerial: Bool { false }
    var description: String { "timers" }
    var identity: ObjectIdentifier { ObjectIdentifier(mark) }
    var isCurrent: Bool { false }

    func enqueue(_ job: Job, for scheduler: Scheduler) { scheduler.run(JobList(job)) }

    func sync<T>(for scheduler: Scheduler, _ work: () throws -> T) rethrows -> T { try work() }
}

extension Scheduler {
    /// Runs delayed jobs on the timers' thread.
    package static let ofTimers = Scheduler(backend: TimersBackend(), isImmortal: true)
}
