// Timers: one heap and one dispatch source for the timers of all schedulers.

internal import Dispatch

/// The timers of the process: a heap of deadlines, and one dispatch source that fires at the first of them.
///
/// User code cannot block the source's queue: firing only enqueues jobs on their schedulers, and ends waits.
///
/// Setting the source costs several times what the heap does. So a deadline that is later than that of the source does
/// not set it, and neither does disposing the first timer. The source may then fire too early, and is set again.
package final class Timers: Sendable {
    private struct State {
        var heap = TimerHeap()
        /// The latest time at which the source will fire. While it fires, too: so it is set only once, at the end.
        var wakeUp: Duration?
        let source: any DispatchSourceTimer

        /// Removes the first job if its deadline has passed. Otherwise, sets the source for it.
        mutating func takeDue() -> DelayedJob? {
            let now = Timers.now
            if let job = heap.popFirst(until: now) { return job }
            wakeUp = nil
            if let next = heap.firstDeadline { setSource(for: next, now: now) }
            return nil
        }

        /// Sets the source to fire at `deadline`, or earlier.
        mutating func setSource(for deadline: Duration, now: Duration) {
            let wakeUp = min(deadline, now + Timers.longestSleep)
            self.wakeUp = wakeUp
            #if EXPLORING
                if let explorer { return explorer.setTimer(for: wakeUp) }
            #endif
            // Calls no user code. Under the lock, so that the setting that remains is the earliest one.
            let nanoseconds = (max(wakeUp - now, .zero) / .nanoseconds(1)).rounded(.up)
            source.schedule(deadline: .now() + .nanoseconds(Int(nanoseconds)))
        }
    }

    #if EXPLORING
        package static var shared: Timers { explorer == nil ? real : explored }
        private static let real = Timers()
        // Safe to share: the explorer sets it while none of its threads runs.
        nonisolated(unsafe) private static var explored = Timers()

        /// Forgets all timers, as the clock of another explorer begins.
        package static func reset() { explored = Timers() }
    #else
        static let shared = Timers()
    #endif

    private static let reference = ContinuousClock.now

    /// The time since the first use in this process.
    // No instant, whose layout is known at run time only: a timer of a busy heap took four times the instructions.
    private static var now: Duration {
        #if EXPLORING
            if let explorer { return explorer.time }
        #endif
        // First, so that the first use is not before it.
        let reference = reference
        return reference.duration(to: .now)
    }

    /// The longest time for which the source is set, 34 years: Dispatch counts nanoseconds in 64 bits.
    private static let longestSleep = Duration.seconds(1 << 30)

    /// How long after its deadline the source is expected to fire by itself. It is late if the machine has slept:
    /// Dispatch's clock stops then, and the continuous clock does not.
    private static let lateness = Duration.seconds(1)

    private let state: Locked<State>

    init() {
        let source = DispatchSource.makeTimerSource(queue: .apart("futures.timers"))
        source.setEventHandler { Timers.shared.fire() }
        state = Locked(State(source: source))
        source.activate()
    }

    /// Enqueues `job` on `scheduler` once `delay` has passed, unless it is disposed before. Returns the job.
    func start(_ job: DelayedJob, after delay: Duration, for scheduler: Scheduler) -> any Disposable {
        job.scheduler = scheduler
        let now = Self.now
        let deadline = now.delayed(by: delay)
        state.withLock { state in
            state.heap.insert(job, at: deadline)
            if let wakeUp = state.wakeUp, wakeUp <= deadline, now < wakeUp + Self.lateness { return }
            state.setSource(for: state.heap.firstDeadline!, now: now)
        }
        return job
    }

    /// Removes a job that was disposed, unless the job has been enqueued on its scheduler.
    func remove(_ job: DelayedJob) {
        let scheduler = state.withLock { $0.heap.remove(job) ? job.scheduler.take() : nil }
        // Without the lock, because an actor may be deallocated with it.
        withExtendedLifetime(scheduler) {}
    }

    /// Enqueues the jobs whose deadlines have passed, in order.
    package func fire() {
        // Releasing a job runs no user code: its scheduler or a dispose has taken its work.
        while let job = state.withLock({ $0.takeDue() }) {
            let scheduler = job.scheduler.take()!
            scheduler.enqueue(job)
            // An actor may be deallocated together with its scheduler, and its deinit is user code.
            if scheduler.isIsolating, !scheduler.isImmortal { DispatchQueue.releaseElsewhere(consume scheduler) }
        }
    }
}
