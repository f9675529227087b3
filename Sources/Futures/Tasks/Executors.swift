// Executors: schedulers that run tasks and actors.

extension Scheduler: TaskExecutor {
    /// Enqueues a job of a task on this scheduler; on ``background``, if this is ``immediate``.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // In place, the job would run inside the code that resumes the task.
        let scheduler = self == .immediate ? .background : self
        scheduler.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// An executor for actors that run on a serial scheduler.
///
///     actor Journal {
///         private let executor = SchedulerExecutor(Scheduler(label: "journal"))
///         nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
///     }
///
/// The actor's code and the callbacks of futures on that scheduler then never run concurrently.
public final class SchedulerExecutor: SerialExecutor {
    /// The scheduler that the actors run on.
    package let scheduler: Scheduler

    /// Creates an executor that runs actors on `scheduler`.
    ///
    /// `Scheduler(queue:)` takes its queue to be serial, which cannot be checked: with a concurrent queue, the code of
    /// an actor would run on several threads at the same time. Create a concurrent scheduler with
    /// `Scheduler(label:attributes:)`, which is rejected here.
    ///
    /// - Precondition: `scheduler` is serial, and is not the scheduler of an actor other than the main actor.
    public init(_ scheduler: Scheduler, file: StaticString = #fileID, line: UInt = #line) {
        guard scheduler.backend.isSerial, !scheduler.isIsolating || scheduler == .main else {
            fatalError(
                "\(scheduler) cannot be an actor's executor: it is concurrent or immediate, or an actor's "
                    + "own. Create one with Scheduler(label:).", file: file, line: line)
        }
        self.scheduler = scheduler
    }

    /// Enqueues a job of an actor on the scheduler; in a simulation, on the real one.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // A simulation's stand-in would not keep it apart from the actor's code on other threads.
        scheduler.realBackend.enqueue(
            ClosureJob { job.runSynchronously(on: self.asUnownedSerialExecutor()) }, isLast: false, for: scheduler)
    }

    /// Traps unless the calling code has exclusive access to the scheduler.
    ///
    /// Code in a job or a `sync` of the scheduler has exclusive access, even if it has entered other schedulers since.
    /// Code that is only in a `perform` has not, as any number of threads may be in one at the same time.
    public func checkIsolated() {
        // A simulation stands in for the scheduler, and does not keep its jobs apart from the actor's code.
        if Worlds.here == nil || scheduler.hasOwnClock, scheduler.isHeld { return }
        fatalError(
            "This code has no exclusive access to \(scheduler), which its actor runs on. Use async or sync (not perform), "
                + "or await the actor's method.")
    }
}

extension SchedulerExecutor: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary {
        ("SchedulerExecutor", ["scheduler": scheduler])
    }
}
