// SerialBackend: a serial list of jobs, run by one thread at a time.

internal import Dispatch

/// Runs jobs one at a time, from a list of its own that one thread at a time serves.
///
///     idle ──a job comes──► posted ──its block starts──► served ──the list is empty──► idle
///       │                     ▲                          ▲  │
///       │                     └──────── too long ────────│──┘
///       ├──a job comes, as the last step of another list─┘
///       └──sync──► the caller's ──it has returned──► idle or posted
///
/// Only the library submits blocks to its queue, so one block can run many jobs. And a thread whose last step in one
/// list was to add a job to another, idle list continues with that list, where plain queues would wake another thread:
/// a hop takes a tenth of the time. That is, if no user code can run in between, which could wait for the added job.
final class SerialBackend: SchedulerBackend {
    private struct State {
        var jobs = JobList()
        /// Set while the list is busy, because there may be no other reference to it.
        var scheduler: Scheduler?

        /// Returns true if the list was idle: then the caller has to have it served.
        mutating func begin(for scheduler: Scheduler) -> Bool {
            guard self.scheduler == nil else { return false }
            self.scheduler = scheduler
            return true
        }

        /// Returns true if the list is idle from now on, as it is empty. The caller retains the scheduler.
        mutating func rest() -> Bool {
            if jobs.isEmpty { scheduler = nil }
            return jobs.isEmpty
        }
    }

    private let state = Locked(State())
    /// Provides the threads: a serial queue, because those get a thread even if all others are blocked.
    // Safe to share: accessed only by the code that changed the state from idle to busy, or that took over from it.
    // Tested by `SerialBackendTests`, under the thread sanitizer.
    @exclusivity(unchecked) nonisolated(unsafe) private var queue: DispatchQueue
    private let qos: DispatchQoS
    let description: String

    init(label: String, qos: DispatchQoS) {
        description = label
        self.qos = qos
        queue = DispatchQueue(label: "futures.serial", qos: qos)
        noteExplored(.forget, of: self)
    }

    var isSerial: Bool { true }

    func enqueue(_ job: Job, isLast: Bool, for scheduler: Scheduler) {
        let wasIdle = state.withLock { state in
            state.jobs.append(job)
            return state.begin(for: scheduler)
        }
        guard wasIdle else { return }
        let storage = ThreadState.here.storage
        // Before its next job, the outermost loop wakes another thread for the successor.
        if isLast, storage.pointee.executing.handsOver, storage.pointee.successor == nil {
            storage.pointee.successor = self
        } else {
            post()
        }
    }

    func sync(for scheduler: Scheduler, _ work: () -> Void) {
        if state.withLock({ $0.begin(for: scheduler) }) {
            work()
            if !state.withLock({ $0.rest() }) { post() }
            return
        }
        // A job of the list waits until this thread has done the work.
        let (turn, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let wait = ClosureJob {
            turn.signal()
            end.wait()
        }
        enqueue(wait, isLast: false, for: scheduler)
        turn.wait()
        work()
        end.signal()
    }

    /// Has a thread run the list. Called only by the code that changed the state to busy.
    func post() {
        noteExplored(.read, of: self)
        queue.submit { [self] in
            var served = 0
            var next: SerialBackend? = self
            while let backend = next { next = backend.serve(&served) }
        }
    }
}

extension SerialBackend {
    /// The number of jobs that a thread runs before it lets other blocks run.
    private static let batchLimit = 1000

    /// Runs jobs until the list is empty. Returns the backend whose list the last job handed over, if any.
    private func serve(_ served: inout Int) -> SerialBackend? {
        let thread = ThreadState.here
        let scheduler = state.withLock { $0.scheduler! }
        var isIdle = false
        thread.execute(on: scheduler, handingOver: true, runningJobs: true) {
            while served < Self.batchLimit {
                let job = takeFirst(handingOverTo: thread.storage.pointee.successor)
                isIdle = job.isEmpty
                if isIdle { break }
                thread.serve(job)
                served += 1
            }
        }
        withExtendedLifetime(scheduler) {}
        let successor = thread.storage.pointee.successor.take()
        if isIdle, successor?.qos == qos { return successor }
        successor?.post()
        if !isIdle { post() }
        return nil
    }

    /// Takes the first job, as a list. If there is none, the list is idle from now on.
    private func takeFirst(handingOverTo successor: SerialBackend?) -> JobList {
        state.withLock { state in
            // The block in progress belongs to this thread's queue. So the backend that it continues with gets that
            // queue, and the idle one gets the other, for its next post.
            if state.rest(), let successor, successor.qos == qos {
                noteExplored(.write, of: self)
                noteExplored(.write, of: successor)
                swap(&queue, &successor.queue)
            }
            return state.jobs.takeFirst()
        }
    }
}
