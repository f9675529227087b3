// SerialBackend: a scheduler's own line of jobs, served by whatever thread is there.

internal import Dispatch

/// Runs jobs one after the other, from a list of its own that one thread at a time serves.
///
///     idle ──a job comes──► posted ──its block begins──► served ──the list is empty──► idle
///       │                     ▲                          ▲  │ │
///       │                     └──────── too long ────────│──┘ └─────sync's turn─────► the caller's
///       ├──a job comes, as the last step of another list─┘                            │        │
///       └──sync───────────────────────────────────────────────────────────────────────┘   idle or posted
///
/// Nobody but us can give blocks to its queue. So one block serves many jobs; and a thread whose last step in one list
/// was to add to another, idle one goes on with that, where raw queues wake another thread: a hop takes a tenth of the
/// time. It does so only where no code of users can run in between, which might wait for what it has added.
// Safe to share: `queue` is touched only by whoever made this busy, or took that over. Held by `SerialBackendTests`,
// under the thread sanitizer.
final class SerialBackend: SchedulerBackend, @unchecked Sendable {
    private let state = Locked(SerialState())
    /// Where threads come from: a serial queue, as those get a thread even if all others are blocked.
    @exclusivity(unchecked) private var queue: DispatchQueue
    private let qos: DispatchQoS
    let description: String

    init(label: String, qos: DispatchQoS) {
        description = label
        self.qos = qos
        queue = DispatchQueue(label: "futures.serial", qos: qos)
    }

    var isSerial: Bool { true }
    var identity: ObjectIdentifier { ObjectIdentifier(self) }
    /// No block of a user's is on it.
    var isCurrent: Bool { false }

    func enqueue(_ job: Job, for scheduler: Scheduler) {
        if state.withLock({ $0.add(job, for: scheduler) }) { post() }
    }

    func enqueueLast(_ job: Job, for scheduler: Scheduler) {
        if state.withLock({ $0.add(job, for: scheduler) }), !ThreadState.here.handOver(to: self) { post() }
    }

    func sync<T>(for scheduler: Scheduler, _ work: () throws -> T) rethrows -> T {
        let turn = SyncTurn { turn in self.state.withLock { $0.turn = turn } }
        if state.withLock({ $0.arrive(turn, for: scheduler) }) == .waits { turn.wait() }
        defer {
            let (goesOn, scheduler) = state.withLock { $0.leave() }
            if goesOn { post() }
            withExtendedLifetime(scheduler) {}
        }
        return try work()
    }

    /// Has a thread woken up. Only by whoever made this busy.
    func post() {
        queue.async { [self] in
            var served = 0
            var next: SerialBackend? = self
            while let backend = next { next = backend.serve(&served) }
        }
    }
}

extension SerialBackend {
    /// How many jobs a thread serves before it gives way to other blocks.
    private static let patience = 1000

    /// Serves the list until it is empty, and returns the one that its last job has led to.
    private func serve(_ served: inout Int) -> SerialBackend? {
        let thread = ThreadState.here
        let scheduler = state.withLock { $0.scheduler! }
        let successor = thread.execute(on: scheduler, handingOver: true) { () -> SerialBackend? in
            while served < Self.patience {
                switch step(towards: thread.successor) {
                case .run(let jobs):
                    thread.serve(jobs)
                    served += 1
                case .pass(let turn):
                    thread.takeSuccessor()?.post()
                    turn.begin()
                    return nil
                case .rest:
                    guard let successor = thread.takeSuccessor() else { return nil }
                    if successor.qos == qos { return successor }
                    successor.post()
                    return nil
                }
            }
            thread.takeSuccessor()?.post()
            post()
            return nil
        }
        withExtendedLifetime(scheduler) {}
        return successor
    }

    private func step(towards successor: SerialBackend?) -> SerialState.Step {
        state.withLock { state in
            let step = state.step()
            // This thread's block keeps the queue it is on; so the idle one gets the other, to be posted to.
            if case .rest = step, let successor, successor.qos == qos { swap(&queue, &successor.queue) }
            return step
        }
    }
}

/// A pure state machine: what a line of jobs does next. It calls nothing.
private struct SerialState {
    enum Arrival { case begins, waits }

    enum Step {
        case run(JobList)
        /// The caller of a `sync` has its turn.
        case pass(SyncTurn)
        case rest
    }

    /// There while jobs are, or run: nobody else may hold it.
    private(set) var scheduler: Scheduler?
    /// Set when its place in the list was reached.
    var turn: SyncTurn?
    private var jobs = JobList()
    private var isBusy = false

    /// Whether this was idle, and is the caller's now.
    mutating func add(_ job: Job, for scheduler: Scheduler) -> Bool {
        jobs.append(job)
        if self.scheduler == nil { self.scheduler = scheduler }
        defer { isBusy = true }
        return !isBusy
    }

    mutating func arrive(_ turn: SyncTurn, for scheduler: Scheduler) -> Arrival {
        guard isBusy else {
            isBusy = true
            return .begins
        }
        return add(turn, for: scheduler) ? .begins : .waits
    }

    mutating func step() -> Step {
        if let turn = turn.take() { return .pass(turn) }
        let first = jobs.takeFirst()
        guard first.isEmpty else { return .run(first) }
        // The caller holds it too: it is not released here, under the lock.
        scheduler = nil
        isBusy = false
        return .rest
    }

    /// The work of a `sync` is done: whether somebody has to serve what came meanwhile.
    mutating func leave() -> (goesOn: Bool, Scheduler?) {
        guard jobs.isEmpty else { return (true, nil) }
        isBusy = false
        return (false, scheduler.take())
    }
}

/// The place in the list of one who waits in `sync`.
// Safe to share: it has constants only.
private final class SyncTurn: Job, @unchecked Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let reached: @Sendable (SyncTurn) -> Void

    init(_ reached: @escaping @Sendable (SyncTurn) -> Void) {
        self.reached = reached
        super.init()
    }

    override func run() { reached(self) }

    func wait() { semaphore.wait() }

    func begin() { semaphore.signal() }
}
