// ExecutionQueueBackend: a scheduler's queue that the user provides.

internal import Dispatch

/// Runs jobs on a queue of the user's.
// Safe to share: `queue` changes in the deinit only. Tested by `ExecutionQueueTests`, under the thread sanitizer.
final class ExecutionQueueBackend: SchedulerBackend, @unchecked Sendable {
    @exclusivity(unchecked) private var queue: (any ExecutionQueue)!
    let hasOwnClock: Bool
    let isSerial: Bool
    let description: String
    let identity: ObjectIdentifier
    /// Runs the jobs that the queue has released without running them.
    private let substitute: SerialBackend

    init(_ queue: some ExecutionQueue) {
        self.queue = queue
        hasOwnClock = queue is any ClockedExecutionQueue
        isSerial = queue.isSerial
        description = queue.label
        identity = ObjectIdentifier(queue.identifyingObject)
        substitute = SerialBackend(label: queue.label, qos: .default)
    }

    // Releasing the queue may run user code, and the last reference to a scheduler may be released by the timers'
    // thread, or under a lock.
    deinit { DispatchQueue.releaseElsewhere(queue.take()) }

    var isCurrent: Bool { queue.isCurrent }
    var now: ContinuousClock.Instant { (queue as? any ClockedExecutionQueue)?.now ?? .now }

    func enqueue(_ job: Job, for scheduler: Scheduler) {
        let jobs = PostedJobs(JobList(job), scheduler, substitute)
        queue.async { jobs.run() }
    }

    func enqueue(
        _ work: @escaping @Sendable () -> Void, after delay: Duration, for scheduler: Scheduler
    ) -> any Disposable {
        let job = DelayedJob(work)
        guard let queue = queue as? any ClockedExecutionQueue else {
            // Not on the timers' thread, which `async` of the queue, user code, must not block; but in order.
            let relay = DelayedJob({ scheduler.enqueue(job) }, in: UInt(bitPattern: identity))
            return QueueTimer(job, Timers.shared.start(relay, after: delay, for: .ofLimits))
        }
        return QueueTimer(job, queue.async(after: delay.asDelay) { scheduler.run(JobList(job)) })
    }

    /// Runs `work` on the queue's thread, which may be the only one that its code can run on.
    func sync(for scheduler: Scheduler, _ work: () -> Void) {
        withoutActuallyEscaping(work) { work in
            let call = Locked([work])
            let hasReturned = DispatchSemaphore(value: 0)
            /// A function of its own: when it returns, nothing refers to the closure any more.
            @inline(never)
            @Sendable func run() { call.withLock { $0.popLast() }!() }
            enqueue(
                ClosureJob {
                    run()
                    hasReturned.signal()
                }, for: scheduler)
            hasReturned.wait()
        }
    }
}

/// Jobs that were passed to a queue. They run once: when the queue calls for them, or when it has given them up.
private final class PostedJobs: Sendable {
    private let jobs: Locked<JobList>
    private let scheduler: Scheduler
    private let substitute: SerialBackend

    init(_ jobs: JobList, _ scheduler: Scheduler, _ substitute: SerialBackend) {
        self.jobs = Locked(jobs)
        self.scheduler = scheduler
        self.substitute = substitute
    }

    deinit {
        while let job = jobs.withLock({ $0.popFirst() }) { substitute.enqueue(job, for: scheduler) }
    }

    func run() {
        let jobs = jobs.withLock { $0.take() }
        if !jobs.isEmpty { scheduler.run(jobs) }
    }
}

/// The timer of a queue, and the work that it waits to do.
private final class QueueTimer: Disposable {
    private let job: DelayedJob
    private let timer: any Disposable

    init(_ job: DelayedJob, _ timer: any Disposable) {
        self.job = job
        self.timer = timer
    }

    func dispose() {
        timer.dispose()
        job.dispose()
    }
}
