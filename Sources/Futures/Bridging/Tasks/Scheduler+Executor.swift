// Executors: asynchronous code that runs on a scheduler.

extension Scheduler: TaskExecutor {
    /// Runs a part of a task on this scheduler; on the concurrent background, if this is `.immediate`.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // In place it would run inside of whoever resumes the task.
        let scheduler = self == .immediate ? .concurrentBackground : self
        scheduler.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// The executor of actors whose code is to run on a serial scheduler.
///
///     actor Journal {
///         private let executor = SchedulerExecutor(.journal)
///         nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
///     }
///
/// Callbacks of futures on that scheduler and the actor's code exclude each other then.
public final class SchedulerExecutor: SerialExecutor {
    /// Where the actors' code runs.
    public let scheduler: Scheduler

    /// Makes the executor.
    ///
    /// - Precondition: `scheduler` is serial, and no actor's own.
    public init(_ scheduler: Scheduler, file: StaticString = #fileID, line: UInt = #line) {
        guard scheduler.backend.isSerial, !scheduler.backend.isIsolating || scheduler == .main else {
            fatalError(
                "\(scheduler) cannot be an actor's executor: it is concurrent, or an actor's own. "
                    + "Make one with Scheduler(label:).", file: file, line: line)
        }
        self.scheduler = scheduler
    }

    /// Runs a part of an actor's code on the scheduler.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        scheduler.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// This executor, as one that is compared by its scheduler.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(complexEquality: self)
    }

    /// Whether code of one executor may go on as code of the other: both have the same scheduler.
    public func isSameExclusiveExecutionContext(other: SchedulerExecutor) -> Bool {
        scheduler == other.scheduler
    }

    /// Traps, unless the calling code has exclusive use of the scheduler.
    ///
    /// It has that in a job and a `sync` of the scheduler, however many others it is in since, but not in a mere
    /// `perform`, which any number of threads may be in at a time.
    public func checkIsolated() {
        if scheduler.isHeld { return }
        if ThreadState.here.isExecuting(scheduler) {
            fatalError(
                "perform was called off \(scheduler), which its actor runs on: that gives no exclusive use of it. "
                    + "Use async or sync.")
        }
        fatalError("This code does not run on \(scheduler), which its actor runs on.")
    }
}

extension SchedulerExecutor: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        Summary("SchedulerExecutor", ["scheduler": scheduler])
    }

    /// The name and the values of the mirror.
    public var description: String { summary.description }

    /// The scheduler.
    public var customMirror: Mirror { summary.mirror(of: self) }
}
