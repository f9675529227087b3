// Timers: one heap and one source for the timers of all schedulers.

internal import Dispatch

/// The timers of the process: a heap of deadlines, and one source of Dispatch that fires at the first of them.
///
/// The source's queue runs no code of users: firing only enqueues jobs on their schedulers. So no user can block it.
///
/// The source is not touched where that can be avoided, as setting it costs several times what the heap does: not when a
/// deadline is later than the one it is set for, and not when the first timer is disposed. It may fire too early then,
/// finds nothing to do, and is set for the first deadline that there is.
final class Timers: Sendable {
    private struct State {
        var heap = TimerHeap()
        /// When the source will fire at the latest. Kept while it fires, so that it is set again once, at the end.
        var wakeUp: ContinuousClock.Instant?
        let source: any DispatchSourceTimer

        /// Has the source fire at `deadline`, or earlier.
        mutating func setSource(for deadline: ContinuousClock.Instant, now: ContinuousClock.Instant) {
            let delay = min(now.duration(to: deadline).asDelay, Timers.longestSleep)
            wakeUp = now + delay
            // Calls nothing of users. Under the lock, so that the last one to be set is the earliest.
            source.schedule(deadline: .now() + .nanoseconds(delay.nanosecondsRoundedUp))
        }
    }

    private struct Due {
        let job: Unmanaged<DelayedJob>
        let scheduler: Unmanaged<Scheduler>
    }

    static let shared = Timers()

    /// The source is set for no longer than that, 34 years: Dispatch counts nanoseconds in 64 bits.
    private static let longestSleep = Duration.seconds(1 << 30)

    /// How long after its time the source is still expected to fire by itself. It may be later by the time that the
    /// machine has slept: Dispatch's clock stands still then, and the continuous one does not.
    private static let lateness = Duration.seconds(1)

    /// How many jobs are taken out while the lock is held.
    private static let batchCount = 256

    private let state: Locked<State>

    private init() {
        let source = DispatchSource.makeTimerSource(queue: .withoutUserCode("futures.timers"))
        source.setEventHandler { Timers.shared.fire() }
        state = Locked(State(source: source))
        source.activate()
    }

    /// Has `scheduler` call `work` once `delay` has passed, unless what is returned is disposed before.
    func start(
        _ work: @escaping @Sendable () -> Void, after delay: Duration, for scheduler: Scheduler
    ) -> any Disposable {
        let job = DelayedJob(work)
        job.scheduler = .passRetained(scheduler)
        let now = ContinuousClock.now
        let deadline = now.after(delay)
        state.withLock { state in
            state.heap.insert(job, at: deadline)
            if let wakeUp = state.wakeUp, wakeUp <= deadline, now - Self.lateness < wakeUp { return }
            state.setSource(for: state.heap.firstDeadline!, now: now)
        }
        return job
    }

    /// Takes out a job that was disposed, unless it has been enqueued on its scheduler.
    func remove(_ job: DelayedJob) {
        let scheduler = state.withLock { state in
            state.heap.remove(job) ? job.scheduler.take() : nil
        }
        // Outside of the lock: an actor may be deallocated with its scheduler.
        scheduler?.release()
    }
}

extension Timers {
    /// Enqueues what is due, in order.
    private func fire() {
        var due: [Due] = []
        while true {
            let isLast = state.withLock { state in
                let now = ContinuousClock.now
                while due.count < Self.batchCount, let job = state.heap.popFirst(until: now) {
                    due.append(Due(job: job, scheduler: job._withUnsafeGuaranteedRef { $0.scheduler.take()! }))
                }
                guard due.count < Self.batchCount else { return false }
                state.wakeUp = nil
                if let next = state.heap.firstDeadline { state.setSource(for: next, now: now) }
                return true
            }
            for timer in due { Self.enqueue(timer) }
            due.removeAll(keepingCapacity: true)
            if isLast { return }
        }
    }

    private static func enqueue(_ timer: Due) {
        let scheduler = timer.scheduler
        // A job has nothing of users any more when it is released here: its scheduler or a dispose has taken its work.
        let job = timer.job.takeRetainedValue()
        let runsUserCode = scheduler._withUnsafeGuaranteedRef { scheduler in
            scheduler.backend.enqueue(job, for: scheduler)
            return scheduler.backend.isIsolating && !scheduler.isImmortal
        }
        if runsUserCode {
            // An actor may be deallocated with its scheduler, and its deinit is code of users.
            DispatchQueue.global().async { scheduler.release() }
        } else {
            scheduler.release()
        }
    }
}
