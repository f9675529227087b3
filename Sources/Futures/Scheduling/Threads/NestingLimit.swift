// The nesting limit: which jobs run where loops are nested too deeply for callbacks.

// A callback may wait for another thread, perhaps with a semaphore. So jobs that other threads might need do
// not wait until it returns: a hop, the end of a turn in a queue, waking a waiting thread or task. They run in a loop
// in addition to the sixteen, which calls no callbacks but keeps them in their order.
//
// Such jobs can still call other user code, if rarely: a dispose, the hash of a key, the deinit of a value. That code
// may call back into the library and nest another such loop. From sixteen of those on, jobs are left to the loop
// around. So the stack is bounded, whatever user code does.
//
// The same loop runs the callbacks of futures that are ended from outside, however few callbacks are nested: a callback
// of one of them must not delay what the others lead to.
extension ThreadState {
    func serveAtLimit(_ jobs: JobList, releasingAbove count: Int) {
        guard storage.pointee.urgentDepth < Self.nestingLimit else { return storage.pointee.deferred.append(jobs) }
        let hasOthers = serveUrgent(jobs)
        // Counted like the loop: what it leads to would nest another one.
        storage.pointee.urgentDepth += 1
        release(above: count)
        storage.pointee.urgentDepth -= 1
        guard hasOthers, !isUrgent else { return }
        countDeferral()
    }

    /// Whether the innermost loop runs urgent jobs only.
    var isUrgent: Bool { storage.pointee.frame?.pointee.isUrgent == true }

    /// Calls user code in a job that is urgent: what it attaches and completes is served as usual.
    func callOut(_ body: () -> Void) {
        guard isUrgent, let frame = storage.pointee.frame else { return body() }
        frame.pointee.isUrgent = false
        body()
        frame.pointee.isUrgent = true
    }

    /// Runs the urgent jobs as `serveUrgent`, and returns the others.
    func callbacks(behindUrgent jobs: JobList) -> JobList {
        guard storage.pointee.urgentDepth < Self.nestingLimit else { return jobs }
        return settingAside { serveUrgent(jobs) }.1
    }

    /// Runs the urgent jobs, and the urgent ones of those that they lead to, and defers the others. Returns whether
    /// there were others.
    ///
    /// What the jobs release stays in the list of deferred releases, for the caller.
    ///
    /// - Parameter behindCallback: Whether a callback in progress is ahead of the jobs, so that those that follow
    ///   callbacks have to wait for it.
    @discardableResult
    func serveUrgent(_ jobs: JobList, behindCallback: Bool = false) -> Bool {
        var frame = Frame(
            jobs: jobs, deferred: storage.pointee.deferred.take(), schedulerCount: storage.pointee.schedulers.count,
            outer: storage.pointee.frame, isUrgent: true)
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
                // The callbacks that run now might wait for it.
                if storage.pointee.successor != nil { takeSuccessor()?.post() }
                frame.run(job)
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

extension JobList {
    /// A job that runs the urgent jobs of this list, with the urgent ones of those that they lead to, and has the
    /// callbacks run behind them: so a callback of one node does not delay what ends together with that.
    var urgentFirst: JobList { JobList(UrgentFirst(self)) }
}

// Safe to share: its list is handed over with it.
private final class UrgentFirst: Job, @unchecked Sendable {
    @exclusivity(unchecked) private var jobs: JobList

    init(_ jobs: JobList) {
        self.jobs = jobs
        super.init()
    }

    override func run() {
        let (state, jobs) = (ThreadState.here, jobs.take())
        if state.isUrgent { state.serveNext(jobs) } else { state.serveUrgent(jobs) }
    }

    override var urgency: Urgency { .urgent }
}

/// Tells which jobs may run, and which have to stay behind deferred ones.
private struct UrgentOrder {
    /// The number of jobs that were deferred.
    private(set) var count = 0
    /// The number of jobs that had been deferred before the jobs that one job led to: a job that follows callbacks
    /// follows only those of that job.
    private var start: Int

    init(behindCallback: Bool) { start = behindCallback ? -1 : 0 }

    mutating func runs(_ urgency: Urgency) -> Bool {
        switch urgency {
        case .urgent: return true
        case .following where count == start: return true
        case .mark(let start):
            self.start = start ?? count
            return true
        case .following, .callback:
            count += 1
            return false
        }
    }

    /// Called when the job that has run has led to others. Returns a mark to be put behind those, if it is needed.
    mutating func descend(before next: Job?) -> Job? {
        defer { start = count }
        // A chain of any length needs only one mark.
        guard let next, !(next is Mark) else { return nil }
        return Mark(start: start)
    }
}

/// A job that does no work: see `Urgency.mark`.
// Safe to share: its one property is a constant.
final class Mark: Job, @unchecked Sendable {
    private let start: Int?

    init(start: Int?) {
        self.start = start
        super.init()
    }

    override var urgency: Urgency { .mark(start: start) }
}
