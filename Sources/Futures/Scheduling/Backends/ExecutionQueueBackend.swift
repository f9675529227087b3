// ExecutionQueueBackend: a scheduler's queue that the user provides.

internal import Dispatch

final class ExecutionQueueBackend: SchedulerBackend {
    // Safe to share: it changes in the deinit only. Tested by `ExecutionQueueTests`, under the thread sanitizer.
    @exclusivity(unchecked) nonisolated(unsafe) private var queue: (any ExecutionQueue)!
    let isSerial: Bool
    let description: String
    let identity: ObjectIdentifier
    /// Runs the jobs that the queue has released without running them.
    private let substitute: SerialBackend

    init(_ queue: some ExecutionQueue) {
        self.queue = queue
        isSerial = queue.isSerial
        description = queue.label
        identity = ObjectIdentifier(queue.identifyingObject)
        substitute = SerialBackend(label: queue.label, qos: .default)
    }

    // Releasing the queue may run user code, and the last reference to a scheduler may be released by the timers'
    // thread, or under a lock.
    deinit { DispatchQueue.releaseElsewhere(queue.take()) }

    var isCurrent: Bool { queue.isCurrent }

    func enqueue(_ job: Job, isLast: Bool, for scheduler: Scheduler) {
        let posted = PostedJob(job, scheduler, substitute)
        queue.async { posted.run() }
    }

    /// Runs `work` on the queue's thread, which may be the only one that its code can run on.
    func sync(for scheduler: Scheduler, _ work: () -> Void) {
        withoutActuallyEscaping(work) { work in
            let call = Locked([work])
            let hasReturned = DispatchSemaphore(value: 0)
            /// A function of its own: when it returns, nothing refers to the closure any more.
            @inline(never)
            @Sendable func run() { call.withLock { $0.popLast() }!() }
            let job = ClosureJob {
                run()
                hasReturned.signal()
            }
            enqueue(job, isLast: false, for: scheduler)
            hasReturned.wait()
        }
    }
}

/// A job that was passed to a queue. It runs once: when the queue calls it, or has released it uncalled.
private final class PostedJob: Sendable {
    private let job: Locked<JobList>
    private let scheduler: Scheduler
    private let substitute: SerialBackend

    init(_ job: Job, _ scheduler: Scheduler, _ substitute: SerialBackend) {
        self.job = Locked(JobList(job))
        self.scheduler = scheduler
        self.substitute = substitute
    }

    deinit {
        if let job = job.withLock({ $0.popFirst() }) { substitute.enqueue(job, isLast: false, for: scheduler) }
    }

    func run() {
        let job = job.withLock { $0.take() }
        if !job.isEmpty { scheduler.run(job) }
    }
}
