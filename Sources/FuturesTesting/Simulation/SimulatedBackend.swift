// SimulatedBackend: replaces a scheduler's queue and its threads in a simulation.

import Futures

/// The jobs of one scheduler, from which the simulation chooses.
// Safe to share: only the thread that runs the simulation accesses what changes.
final class SimulatedBackend: ClockWithWatchdog, @unchecked Sendable {
    private unowned let world: SimulatedWorld
    private let real: any SchedulerBackend
    /// Nil for the scheduler of `immediate`, whose jobs never wait.
    let scheduler: Scheduler?
    private let number: Int
    /// Its index among the backends of the simulation.
    private let index: Int
    private(set) var jobs = WaitingJobs()
    /// How often the code in progress runs a job or a `sync` of this, one inside of the other.
    private var useCount = 0
    /// The number of jobs that may run now: the first one of a serial scheduler, unless that is in use.
    private(set) var candidateCount = 0

    init(
        for scheduler: Scheduler, insteadOf real: any SchedulerBackend, number: Int, index: Int,
        in world: SimulatedWorld
    ) {
        self.world = world
        self.real = real
        self.number = number
        self.index = index
        self.scheduler = scheduler.isImmediate ? nil : scheduler
    }

    var isSerial: Bool { real.isSerial }
    var description: String { real.description }
    var identity: ObjectIdentifier { real.identity }
    /// A block of the user's runs outside of the simulation.
    var isCurrent: Bool { scheduler == nil }
    var now: ContinuousClock.Instant { world.instant }
    var watchdog: Watchdog { world.watchdog }
    var faults: (any FaultSource)? { world }

    func enqueue(_ job: Job, isLast: Bool, for scheduler: Scheduler) {
        guard self.scheduler != nil else { return scheduler.run(JobList(job)) }
        if isReal {
            noteEscape("a callback" + (job.sourceInWords.map { " of the future made at \($0)" } ?? ""))
            return real.enqueue(job, isLast: isLast, for: scheduler)
        }
        // A serial scheduler's jobs have the number of the scheduler.
        jobs.append(job, number: isSerial ? number : world.nextNumber(), in: isSerial ? nil : job.strand)
        count()
    }

    func enqueue(
        _ work: @escaping @Sendable () -> Void, after delay: Duration, for scheduler: Scheduler
    ) -> any Disposable {
        // As outside of simulations, `immediate` has no thread for it.
        world.start(work, after: delay, on: self.scheduler ?? .background)
    }

    /// Runs what was enqueued before, if the scheduler is serial, and then `work`.
    func sync(for scheduler: Scheduler, _ work: () -> Void) {
        if isReal {
            noteEscape("a sync")
            return real.sync(for: scheduler, work)
        }
        if isSerial { for _ in 0..<jobs.count { runFirst() } }
        using(work)
    }

    /// Whether the real mechanism runs the jobs. Isolated closures run here, and another thread may be running code of
    /// the same actor: only the actor itself keeps them apart. Its callbacks run in a task, which is simulated. The main
    /// actor is the thread of the simulation, or another one, which the simulation does not see.
    private var isReal: Bool { scheduler?.isIsolating == true && !(scheduler == .main && world.isOnMain) }

    private func noteEscape(_ work: String) { if scheduler == .main { world.noteEscape("\(work) of the main actor") } }

    /// The numbers of the jobs that may run now.
    var numbers: [Int] { isSerial ? Array(repeating: number, count: candidateCount) : jobs.numbers }

    /// Whether jobs wait for a scheduler that is in use further out.
    var isBlocked: Bool { !jobs.isEmpty && candidateCount == 0 }

    /// Runs one of the jobs that wait.
    func run(_ index: Int) {
        let list = JobList(jobs.remove(at: index))
        using { scheduler!.run(list) }
    }

    private func runFirst() { if !jobs.isEmpty { run(0) } }

    /// Takes out all jobs, to release them.
    func removeAll() -> WaitingJobs {
        let all = jobs
        jobs = WaitingJobs()
        count()
        return all
    }

    private func using(_ work: () -> Void) {
        useCount += 1
        count()
        work()
        useCount -= 1
        count()
    }

    /// Counts the jobs that may run now.
    private func count() {
        let old = candidateCount
        candidateCount = isSerial ? useCount == 0 && !jobs.isEmpty ? 1 : 0 : jobs.count
        if candidateCount != old { world.change(candidateCount - old, at: index) }
    }
}

/// An executor of tasks in a simulation.
final class SimulatedExecutor: TaskExecutor {
    private let scheduler: Scheduler
    private let world: SimulatedWorld

    init(_ scheduler: Scheduler, in world: SimulatedWorld) {
        self.scheduler = scheduler
        self.world = world
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        world.enqueueFromTask({ job.runSynchronously(on: executor) }, on: scheduler)
    }
}
