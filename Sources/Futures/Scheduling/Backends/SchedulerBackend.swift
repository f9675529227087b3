// SchedulerBackend: what is behind a scheduler.

/// What is behind a scheduler: a dispatch queue, an actor, virtual time.
package protocol SchedulerBackend: Sendable {
    /// Whether jobs run one after the other, so that a job that waits for a later one waits for ever.
    var isSerial: Bool { get }

    /// Whether closures that the compiler took for isolated run here: then nothing else may pass for being here.
    var isIsolating: Bool { get }

    /// What to call it in messages.
    var description: String { get }

    /// What two schedulers must share to be equal.
    var identity: ObjectIdentifier { get }

    /// Whether the calling thread is inside of this, though no `Scheduler` put it there: a block that the user gave
    /// to the queue, or the main thread at top level.
    var isCurrent: Bool { get }

    /// Runs `job` later by `scheduler.run`, after what was enqueued before it.
    func enqueue(_ job: Job, for scheduler: Scheduler)

    /// The same, as the last step of a job in a serving loop.
    func enqueueLast(_ job: Job, for scheduler: Scheduler)

    /// Calls `work` in a job once `delay` has passed, unless what is returned is disposed before.
    func enqueue(
        _ work: @escaping @Sendable () -> Void, after delay: Duration, for scheduler: Scheduler
    ) -> any Disposable

    /// The time on the clock that its delays go by.
    var now: ContinuousClock.Instant { get }

    /// Runs `work` here and now with exclusive use of what is behind this; waits for it if need be.
    func sync<T>(for scheduler: Scheduler, _ work: () throws -> T) rethrows -> T
}

extension SchedulerBackend {
    package var isIsolating: Bool { false }
    package var now: ContinuousClock.Instant { .now }

    package func enqueueLast(_ job: Job, for scheduler: Scheduler) { enqueue(job, for: scheduler) }

    package func enqueue(
        _ work: @escaping @Sendable () -> Void, after delay: Duration, for scheduler: Scheduler
    ) -> any Disposable {
        Timers.shared.start(work, after: delay, for: scheduler)
    }
}

/// Runs everything at once on the calling thread.
struct ImmediateBackend: SchedulerBackend {
    private final class Mark: Sendable {}
    private let mark = Mark()

    var isSerial: Bool { false }
    var description: String { "immediate" }
    var identity: ObjectIdentifier { ObjectIdentifier(mark) }
    var isCurrent: Bool { true }

    func enqueue(_ job: Job, for scheduler: Scheduler) { scheduler.run(JobList(job)) }

    // No thread belongs to it, so the work is the concurrent background's.
    func enqueue(
        _ work: @escaping @Sendable () -> Void, after delay: Duration, for scheduler: Scheduler
    ) -> any Disposable {
        Timers.shared.start(work, after: delay, for: .concurrentBackground)
    }

    func sync<T>(for scheduler: Scheduler, _ work: () throws -> T) rethrows -> T { try work() }
}
