// SerialBackend: a serial list of jobs, run by one thread at a time.

internal import Dispatch

/// Runs jobs one at a time, from a list of its own that one thread at a time serves.
///
///     idle ──a job comes──► posted ──its block starts──► served ──the list is empty──► idle
///       │                     ▲                          ▲  │ │
///       │                     └──────── too long ────────│──┘ └─────sync's turn─────► the caller's
///       ├──a job comes, as the last step of another list─┘                            │        │
///       └──sync───────────────────────────────────────────────────────────────────────┘   idle or posted
///
/// Only the library submits blocks to its queue. So one block can run many jobs. And a thread whose last step in one
/// list was to add a job to another, idle list can continue with that list, where plain queues would wake another
/// thread: a hop takes a tenth of the time. It does so only if no user code can run in between, because that could wait
/// for the added job.
// Safe to share: `queue` is accessed only by the code that changed the state from idle to busy, or that took over from
// it. Tested by `SerialBackendTests`, under the thread sanitizer.
final class SerialBackend: SchedulerBackend, @unchecked Sendable {
    private let state = Locked(SerialState())
    /// Provides the threads: a serial queue, because those get a thread even if all others are blocked.
    @exclusivity(unchecked) private var queue: DispatchQueue
    private let qos: DispatchQoS
    let description: String

    init(label: String, qos: DispatchQoS) {
        description = label
        self.qos = qos
        queue = DispatchQueue(label: "futures.serial", qos: qos)
        noteExplored(.forget, of: self)
    }

    var isSerial: Bool { true }

    func enqueue(_ job: Job, for scheduler: Scheduler) {
        if state.withLock({ $0.add(job, for: scheduler) }) { post() }
    }

    func enqueueLast(_ job: Job, for scheduler: Scheduler) {
        if state.withLock({ $0.add(job, for: scheduler) }), !ThreadState.here.handOver(to: self) { post() }
    }

    func sync(for scheduler: Scheduler, _ work: () -> Void) {
        let turn = DispatchSemaphore(value: 0)
        let place = ClosureJob { self.state.withLock { $0.turn = turn } }
        if state.withLock({ !$0.begin() && !$0.add(place, for: scheduler) }) { turn.wait() }
        work()
        let (goesOn, scheduler) = state.withLock { $0.leave() }
        if goesOn { post() }
        withExtendedLifetime(scheduler) {}
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
        let successor = thread.execute(on: scheduler, handingOver: true, runningJobs: true) { () -> SerialBackend? in
            while served < Self.batchLimit {
                switch step(towards: thread.storage.pointee.successor) {
                case .run(let jobs):
                    thread.serve(jobs)
                    served += 1
                case .pass(let turn):
                    thread.storage.pointee.successor.take()?.post()
                    turn.signal()
                    return nil
                case .rest:
                    guard let successor = thread.storage.pointee.successor.take() else { return nil }
                    if successor.qos == qos { return successor }
                    successor.post()
                    return nil
                }
            }
            thread.storage.pointee.successor.take()?.post()
            post()
            return nil
        }
        withExtendedLifetime(scheduler) {}
        return successor
    }

    private func step(towards successor: SerialBackend?) -> SerialState.Step {
        state.withLock { state in
            let step = state.step()
            // The block in progress belongs to this thread's queue. So the backend that it continues with gets that
            // queue, and the idle one gets the other, for its next post.
            if case .rest = step, let successor, successor.qos == qos {
                noteExplored(.write, of: self)
                noteExplored(.write, of: successor)
                swap(&queue, &successor.queue)
            }
            return step
        }
    }
}

/// A pure state machine that tells what the list does next. It calls nothing.
private struct SerialState {
    enum Step {
        case run(JobList)
        /// The caller of a `sync` has its turn.
        case pass(DispatchSemaphore)
        case rest
    }

    /// Set while there are jobs or one runs, because there may be no other reference to it.
    private(set) var scheduler: Scheduler?
    /// What the caller of a `sync` waits for. Set when its place in the list is reached.
    var turn: DispatchSemaphore?
    private var jobs = JobList()
    private var isBusy = false

    /// Adds a job. Returns true if the list was idle: the caller then has to have it served.
    mutating func add(_ job: Job, for scheduler: Scheduler) -> Bool {
        jobs.append(job)
        if self.scheduler == nil { self.scheduler = scheduler }
        return begin()
    }

    /// Begins to serve the list, or a `sync`, if the list is idle. Returns false otherwise.
    mutating func begin() -> Bool {
        defer { isBusy = true }
        return !isBusy
    }

    mutating func step() -> Step {
        if let turn = turn.take() { return .pass(turn) }
        let first = jobs.takeFirst()
        guard first.isEmpty else { return .run(first) }
        // The caller retains it too, so it is not deallocated here, under the lock.
        scheduler = nil
        isBusy = false
        return .rest
    }

    /// Ends a `sync`. Returns whether the jobs that were added meanwhile have to be served.
    mutating func leave() -> (goesOn: Bool, Scheduler?) {
        guard jobs.isEmpty else { return (true, nil) }
        isBusy = false
        return (false, scheduler.take())
    }
}
