// Job: what a scheduler runs, and the lists that jobs wait in.

/// Something to run once on a scheduler; a future's step is one itself, so that a hop needs no other object.
// Safe to share: `next` belongs to the one list that the job is in, and each list to one thread or one lock.
@usableFromInline
package class Job: @unchecked Sendable {
    /// The job behind this one, in whatever list this is in.
    @exclusivity(unchecked) @usableFromInline
    package final var next: Unmanaged<Job>?

    @inlinable
    package init() {}

    /// Does the work. The scheduler is current, and no lock is held.
    @usableFromInline
    package func run() {}

    /// What this would do now, if it was run: asked where loops are nested too deeply for callbacks, once the job's turn
    /// has come.
    package var urgency: Urgency { .callback }
}

/// Whether a job may wait until the callback in progress has returned.
package enum Urgency: Sendable {
    /// No: other threads may need it. It calls none of the user's callbacks; it hops, passes on a result, wakes a waiter.
    case urgent
    /// It may not be run before what stands before it, and else is urgent: it ends a turn, and those who listen to what
    /// is over are called first.
    case following
    /// It would call a callback in place.
    case callback
    /// No work, but the end of what the job before it has led to; `start` belongs to what comes now.
    case mark(start: Int)
}

/// A job that calls a closure.
// Safe to share: it has constants, which are `Sendable`; `work` changes in the deinit only.
package final class ClosureJob: Job, @unchecked Sendable {
    @exclusivity(unchecked) private var work: (@Sendable () -> Void)?
    private let kind: Urgency

    package convenience init(_ work: @escaping @Sendable () -> Void) {
        self.init(.callback, work)
    }

    package init(_ urgency: Urgency, _ work: @escaping @Sendable () -> Void) {
        self.work = work
        self.kind = urgency
        super.init()
    }

    deinit {
        if let work = work.take() { DeferredReleases.here.release(closure: work) }
    }

    package override func run() { work?() }

    package override var urgency: Urgency { kind }
}

/// A list of jobs, each retained once by the list and linked through `next`.
// Safe to share: a list is handed over, never shared; the jobs' own locks order what they do.
package struct JobList: @unchecked Sendable {
    private var first: Unmanaged<Job>?
    private var last: Unmanaged<Job>?

    package init() {}

    /// Takes over the retained jobs from `first` to `last`, which are linked already.
    package init(first: Unmanaged<Job>, last: Unmanaged<Job>) {
        self.first = first
        self.last = last
    }

    package init(_ job: Job) {
        append(job)
    }

    package var isEmpty: Bool { first == nil }

    /// The first job, which stays in the list.
    var firstJob: Job? { first?.takeUnretainedValue() }

    /// The place of the first job of which `isMeant` is true.
    func firstIndex(where isMeant: (Job) -> Bool) -> Int? {
        var (job, index) = (first, 0)
        while let here = job {
            if here._withUnsafeGuaranteedRef(isMeant) { return index }
            job = here._withUnsafeGuaranteedRef { $0.next }
            index += 1
        }
        return nil
    }

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

    /// Takes the first one out, as a list; an empty one, if there is none.
    package mutating func takeFirst() -> JobList {
        guard let reference = first else { return JobList() }
        first = reference._withUnsafeGuaranteedRef { $0.next }
        reference._withUnsafeGuaranteedRef { $0.next = nil }
        if first == nil { last = nil }
        return JobList(first: reference, last: reference)
    }

    /// Empties the list and returns what it held.
    package mutating func take() -> JobList {
        defer { self = JobList() }
        return self
    }
}
