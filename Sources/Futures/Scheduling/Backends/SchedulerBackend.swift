// SchedulerBackend: the mechanism behind a scheduler, and which one its code uses.

/// The mechanism behind a scheduler: a queue, an actor, or virtual time.
package protocol SchedulerBackend: Sendable {
    /// Whether jobs run one at a time, so that a job that waits for a later one deadlocks.
    var isSerial: Bool { get }

    /// The name in messages.
    var description: String { get }

    /// What schedulers are compared by.
    var identity: ObjectIdentifier { get }

    /// Whether the calling thread runs here although no `Scheduler` arranged it: in a block that the user submitted to
    /// the queue, or on the main thread's top level.
    var isCurrent: Bool { get }

    /// Enqueues `job`, which is run later by `scheduler.run`, after the jobs enqueued before it.
    ///
    /// `isLast`: whether this is the last step of a job in a serving loop.
    func enqueue(_ job: Job, isLast: Bool, for scheduler: Scheduler)

    /// Calls `work` in a job once `delay` has passed, unless the returned disposable is disposed before.
    func enqueue(
        _ work: @escaping @Sendable () -> Void, after delay: Duration, for scheduler: Scheduler
    ) -> any Disposable

    /// The time on the clock that measures the delays.
    var now: ContinuousClock.Instant { get }

    /// Whether its clock is that of a test, and not the `ContinuousClock`.
    var hasOwnClock: Bool { get }

    /// If a test controls this clock: what notes the work that its jobs pass to `scheduler`, whose mechanism is `real`;
    /// nil if that is no escape.
    func watching(_ scheduler: Scheduler, insteadOf real: any SchedulerBackend) -> (any SchedulerBackend)?

    /// Notes that a job on this clock has started a task on the concurrent pool.
    func noteTask()

    /// The faults that tests inject at the fault points of this scheduler.
    var faults: (any FaultSource)? { get }

    /// Runs `work` in place with exclusive use of the queue, and waits for that if necessary.
    func sync(for scheduler: Scheduler, _ work: () -> Void)
}

extension SchedulerBackend {
    package var isCurrent: Bool { false }
    package var now: ContinuousClock.Instant { .now }
    package var hasOwnClock: Bool { false }
    package var faults: (any FaultSource)? { Worlds.processFaults.withLock { $0 } }
    package func noteTask() {}
    package func watching(_ scheduler: Scheduler, insteadOf real: any SchedulerBackend) -> (any SchedulerBackend)? {
        nil
    }

    // Of a backend without a queue that a caller could wait for.
    package func sync(for scheduler: Scheduler, _ work: () -> Void) { work() }

    package func enqueue(
        _ work: @escaping @Sendable () -> Void, after delay: Duration, for scheduler: Scheduler
    ) -> any Disposable {
        // `immediate` has no thread of its own, and the thread that starts a timer has left when it fires.
        Timers.shared.start(DelayedJob(work), after: delay, for: scheduler.isImmediate ? .background : scheduler)
    }
}

extension SchedulerBackend where Self: AnyObject {
    package var identity: ObjectIdentifier { ObjectIdentifier(self) }
}

/// Runs everything immediately on the calling thread.
final class ImmediateBackend: SchedulerBackend {
    var isSerial: Bool { false }
    var description: String { "immediate" }
    var isCurrent: Bool { true }

    func enqueue(_ job: Job, isLast: Bool, for scheduler: Scheduler) { scheduler.run(JobList(job)) }
}

extension Scheduler {
    /// Calls `body` with the mechanism behind this scheduler. In a simulation on the calling thread, that is what the
    /// simulation has in its place; for jobs of virtual time, one that notices what leaves that.
    // The real one is used where it is stored: to return it would copy and retain it.
    @inline(__always)
    func withBackend<T>(_ body: (any SchedulerBackend) -> T) -> T {
        if Worlds.areThere, let simulated = simulatedHere { return body(simulated) }
        return body(realBackend)
    }

    package var backend: any SchedulerBackend { withBackend { $0 } }

    // Asked only where there are simulations: the compiler makes and destroys an optional even if it is nil, which
    // would be some 80 instructions of each hop.
    @inline(never)
    var simulatedHere: (any SchedulerBackend)? {
        let thread = ThreadState.here
        if let world = thread.world { return world.backend(of: self, insteadOf: realBackend) }
        return thread.clock?.watching(self, insteadOf: realBackend)
    }

    var isBackendCurrent: Bool { withBackend { $0.isCurrent } }

    func enqueue(_ job: Job) { withBackend { $0.enqueue(job, isLast: false, for: self) } }

    func enqueueLast(_ job: Job) { withBackend { $0.enqueue(job, isLast: true, for: self) } }
}
