// The limit: what runs where loops are nested too deeply for callbacks.

// A callback may wait for another thread (rule 3a), by a semaphore of its own perhaps. So what another thread might need
// does not wait for it to return: a hop, the release of a turn, waking who waits. It runs in a loop beside the sixteen,
// which calls no callbacks, but keeps them in their order.
//
// What it runs calls other code of users all the same, if rarely: a dispose, the hash of a key, the deinit of a value.
// Such code may come back here, and nests another such loop; sixteen of them at most, then its jobs are left to the one
// around it. So the stack is bounded, whatever users do.
extension ThreadState {
    func serveAtLimit(_ jobs: JobList, releasingAbove count: Int) {
        guard storage.pointee.urgentDepth < Self.nestingLimit else { return storage.pointee.deferred.append(jobs) }
        let hasOthers = serveUrgent(jobs)
        // Counted like the loop: what it leads to would nest another one.
        storage.pointee.urgentDepth += 1
        release(above: count)
        storage.pointee.urgentDepth -= 1
        guard hasOthers else { return }
        storage.pointee.deferrals += 1
        if storage.pointee.deferrals == Self.patience { storage.pointee.isUnwinding = true }
    }

    /// Runs what is urgent of the jobs, and of what that leads to, and defers the others; whether there were others.
    ///
    /// `behindCallback`: a callback in progress belongs before the jobs, so what follows callbacks has to wait for it.
    /// What the jobs release waits for the caller to release it.
    @discardableResult
    func serveUrgent(_ jobs: JobList, behindCallback: Bool = false) -> Bool {
        var frame = Frame(
            jobs: jobs, deferred: storage.pointee.deferred.take(), schedulerCount: storage.pointee.schedulers.count,
            outer: storage.pointee.frame)
        var order = UrgentOrder(behindCallback: behindCallback)
        let releases = DeferredReleases.here
        let isDeferring = releases.isDeferring
        releases.isDeferring = false
        storage.pointee.urgentDepth += 1
        withUnsafeMutablePointer(to: &frame) { frame in
            storage.pointee.frame = frame
            while let job = frame.pointee.jobs.popFirst() {
                guard order.runs(job.urgency) else {
                    frame.pointee.deferred.append(job)
                    continue
                }
                // What runs now might wait for it.
                if storage.pointee.successor != nil { takeSuccessor()?.post() }
                job.run()
                releases.isDeferring = true
                _ = consume job
                releases.isDeferring = false
                guard !storage.pointee.deferred.isEmpty else { continue }
                if let mark = order.descend(before: frame.pointee.jobs.firstJob) {
                    frame.pointee.jobs.prepend(JobList(mark))
                }
                frame.pointee.jobs.prepend(storage.pointee.deferred.take())
            }
            storage.pointee.frame = frame.pointee.outer
        }
        storage.pointee.urgentDepth -= 1
        releases.isDeferring = isDeferring
        storage.pointee.deferred = frame.deferred
        return order.count > 0
    }
}

/// Which jobs may run, and which have to stay behind others that are kept.
private struct UrgentOrder {
    /// How many jobs were kept.
    private(set) var count = 0
    /// How many had been kept when what one job has led to began: what follows callbacks follows those of that job.
    private var start: Int

    init(behindCallback: Bool) { start = behindCallback ? -1 : 0 }

    mutating func runs(_ urgency: Urgency) -> Bool {
        switch urgency {
        case .urgent: return true
        case .following where count == start: return true
        case .mark(let start):
            self.start = start
            return true
        case .following, .callback:
            count += 1
            return false
        }
    }

    /// The job that has run has led to others; returns what has to stand behind those, if it is needed.
    mutating func descend(before next: Job?) -> Job? {
        defer { start = count }
        // A chain of any length leaves one mark behind.
        guard let next, !(next is Mark) else { return nil }
        return Mark(start: start)
    }

    // Safe to share: it has one constant.
    private final class Mark: Job, @unchecked Sendable {
        private let start: Int

        init(start: Int) {
            self.start = start
            super.init()
        }

        override var urgency: Urgency { .mark(start: start) }
    }
}
