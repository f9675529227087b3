// Strands: the jobs that run one at a time where others run concurrently.

/// The strands that have a job in progress or in a list, and the jobs that wait behind that.
struct Strands {
    private var waiting: [UInt: JobList] = [:]

    /// Returns whether `job` may be run now. Otherwise it is kept, as another job of its strand has yet to end.
    mutating func admit(_ job: Job) -> Bool {
        guard let strand = job.strand else { return true }
        if waiting[strand]?.append(job) != nil { return false }
        waiting[strand] = JobList()
        return true
    }

    /// Returns the next job of a strand whose job has ended, as a list, which is empty if none waits.
    mutating func next(in strand: UInt) -> JobList {
        if let next = waiting[strand]?.takeFirst(), !next.isEmpty { return next }
        waiting[strand] = nil
        return JobList()
    }
}
