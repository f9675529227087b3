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
}

/// A job that calls a closure.
// Safe to share: it has one constant, which is `@Sendable`.
package final class ClosureJob: Job, @unchecked Sendable {
    private let work: @Sendable () -> Void

    package init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
        super.init()
    }

    package override func run() { work() }
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
