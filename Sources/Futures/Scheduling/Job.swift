// Job: the unit that a scheduler runs, and the lists in which jobs wait.

/// A unit of work that runs once on a scheduler. A future's step is a job itself, so that a hop allocates no other
/// object.
// Safe to share: `next` belongs to the one list that the job is in, and each list to one thread or one lock.
@usableFromInline
package class Job: @unchecked Sendable {
    /// The next job in the list that this one is in.
    @exclusivity(unchecked) @usableFromInline
    package final var next: Unmanaged<Job>?

    @inlinable
    package init() {}

    /// Does the work. The scheduler is current, and no lock is held.
    @usableFromInline
    package func run() {}

    /// The source location of what has led to it, if that is known.
    package var sourceInWords: String? { nil }

    /// Jobs of one strand run one at a time and in order, also on a concurrent scheduler; nil for a job without a strand.
    package var strand: UInt? { nil }

    /// What kind of work this job would do if it ran now. Read when it may run at once, in a pass.
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
    private let work: @Sendable () -> Void
    private let kind: Urgency
    private let scheduler: Scheduler?

    /// Creates a job of this urgency; for `scheduler`, a callback that is urgent while the scheduler is not current, as it
    /// hops then.
    package init(
        _ urgency: Urgency = .callback, on scheduler: Scheduler? = nil, _ work: @escaping @Sendable () -> Void
    ) {
        self.work = Carried.captured(in: work)
        self.scheduler = scheduler
        kind = urgency
        super.init()
    }

    deinit { DeferredReleases.here.release(closure: work) }

    package override func run() { work() }

    package override var urgency: Urgency {
        scheduler.map { $0.isInPlace || !$0.isCurrent } ?? false ? .urgent : kind
    }
}

/// A list of jobs, each retained once by the list and linked through `next`.
// A list is handed over, never shared. The jobs' own locks order their effects.
package struct JobList: Sendable {
    private var first: Unmanaged<Job>?
    private var last: Unmanaged<Job>?

    package init() {}

    /// Takes ownership of the retained and linked jobs from `first` to `last`.
    package init(first: Unmanaged<Job>, last: Unmanaged<Job>) {
        self.first = first
        self.last = last
    }

    package init(_ job: Job) {
        append(job)
    }

    package var isEmpty: Bool { first == nil }

    var hasSeveral: Bool { first?.toOpaque() != last?.toOpaque() }

    /// The first job, which stays in the list.
    var firstJob: Job? { first?.takeUnretainedValue() }

    var firstUrgency: Urgency? { first?._withUnsafeGuaranteedRef { $0.urgency } }

    package mutating func append(_ job: Job) {
        let reference = Unmanaged.passRetained(job)
        append(JobList(first: reference, last: reference))
    }

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

    package mutating func popFirst() -> Job? {
        guard let reference = first else { return nil }
        let job = reference.takeRetainedValue()
        first = job.next
        job.next = nil
        if first == nil { last = nil }
        return job
    }

    /// Removes the first job and returns it as a list, which is empty if there is none.
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
