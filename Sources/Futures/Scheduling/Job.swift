// Job: the unit that a scheduler runs, and the lists in which jobs wait.

/// A unit of work that runs once on a scheduler. A future's step is a job itself, so a hop allocates no other object.
// Safe to share: `next` belongs to the one list that the job is in, and each list to one thread or one lock.
@usableFromInline
package class Job: @unchecked Sendable {
    /// The next job in its list.
    @exclusivity(unchecked) @usableFromInline
    package final var next: Unmanaged<Job>?

    @inlinable
    package init() {}

    /// Does the work. The scheduler is current, and no lock is held.
    @usableFromInline
    package func run() {}

    /// The source location of what has led to it, if that is known.
    package var sourceInWords: String? { nil }

    /// Jobs of one strand run one at a time and in order, also on a concurrent scheduler; nil for a job without a
    /// strand.
    package var strand: UInt? { nil }

    /// What this job would do if it ran now. Read when it may run at once, in a pass.
    package var urgency: Urgency { .callback }

    /// The scheduler to which this job would hop elsewhere; nil for a job that does its work on any thread.
    package var onlyScheduler: Scheduler? { nil }
}

/// Whether a job waits until the callback in progress has returned.
package enum Urgency: Sendable {
    /// It must not wait, because other threads may need it. It calls no callback of the user: it hops, passes on a
    /// result, or wakes a waiting thread or task.
    case urgent
    /// It must not run before the jobs ahead of it, and is urgent otherwise: it ends a turn in a queue, and the
    /// listeners of the finished operation are called first.
    case following
    /// It would call a callback in place.
    case callback
}

/// A job that calls a closure.
// Safe to share: its properties are constants.
package final class ClosureJob: Job, @unchecked Sendable {
    private let work: Closure
    private let kind: Urgency
    private let scheduler: Scheduler?

    /// Creates a job of this urgency; for `scheduler`, a callback that is urgent while the scheduler is not current, as
    /// it hops then.
    package init(
        _ urgency: Urgency = .callback, on scheduler: Scheduler? = nil, _ work: @escaping @Sendable () -> Void
    ) {
        self.work = Closure(Carried.captured(in: work))
        self.scheduler = scheduler
        kind = urgency
        super.init()
    }

    deinit { DeferredReleases.here.release(closure: work) }

    package override func run() { work.call() }

    package override var urgency: Urgency {
        scheduler.map { $0.isInPlace || !$0.isCurrent } ?? false ? .urgent : kind
    }
}

/// A list of jobs, each retained once by the list and linked through `next`.
// A list is handed over, never shared. The jobs' own locks order their effects.
package struct JobList: Sendable {
    // `JobList(first:last:)` takes ownership of the retained and linked jobs from `first` to `last`.
    private(set) var first: Unmanaged<Job>?
    private(set) var last: Unmanaged<Job>?
}

extension JobList {
    package init(_ job: Job) {
        let reference = Unmanaged.passRetained(job)
        self.init(first: reference, last: reference)
    }

    package var isEmpty: Bool { first == nil }

    var hasSeveral: Bool { first?.toOpaque() != last?.toOpaque() }

    var firstUrgency: Urgency? { first?._withUnsafeGuaranteedRef { $0.urgency } }

    package mutating func append(_ job: Job) { append(JobList(job)) }

    package mutating func append(_ other: JobList) {
        guard let otherFirst = other.first else { return }
        if let last { last._withUnsafeGuaranteedRef { $0.next = otherFirst } } else { first = otherFirst }
        last = other.last
    }

    package mutating func prepend(_ other: JobList) {
        var joined = other
        joined.append(self)
        self = joined
    }

    package mutating func popFirst() -> Job? { takeFirst().first?.takeRetainedValue() }

    /// Removes the first job, and returns it as a list, which is empty if there is none.
    package mutating func takeFirst() -> JobList {
        guard let reference = first else { return JobList() }
        first = reference._withUnsafeGuaranteedRef { $0.next }
        reference._withUnsafeGuaranteedRef { $0.next = nil }
        if first == nil { last = nil }
        return JobList(first: reference, last: reference)
    }

    /// Empties the list and returns its jobs.
    package mutating func take() -> JobList {
        defer { self = JobList() }
        return self
    }
}

/// The jobs that wait for the end of one in progress, in a block or a task; nil while none is.
extension JobList? {
    /// Adds jobs. Returns false if none is in progress: then the caller has to run these, and then what `next` returns.
    mutating func add(_ jobs: JobList) -> Bool {
        if self?.append(jobs) != nil { return true }
        self = JobList()
        return false
    }

    /// Takes the next job when one has ended, as `takeFirst` does.
    mutating func next() -> JobList {
        let next = self?.takeFirst() ?? JobList()
        if next.isEmpty { self = nil }
        return next
    }
}
