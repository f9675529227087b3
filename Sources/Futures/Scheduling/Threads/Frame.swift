// Frame: what a thread sets aside while it runs a loop, a pass, a wait or another scheduler's code.

/// What a thread sets aside meanwhile. A frame is on the stack, where a wait can reach it.
// Unsafe: loops refer to it by its address. It lives in `withUnsafeMutablePointer`, and leaves the thread's list before
// that returns. Tested by `NestingTests`.
struct Frame {
    /// The jobs that a loop or pass runs when the job in progress has returned.
    var jobs: JobList
    /// What the job around this had led to before; behind that, what a pass leaves to the job around.
    var deferred: JobList
    /// The job in progress.
    var running: Unmanaged<Job>?
    /// What the thread was executing around this. `deferred` belongs to that scheduler.
    let executing: ThreadState.Executing
    let outer: UnsafeMutablePointer<Frame>?
}

extension ThreadState {
    /// The frames in progress, the innermost first.
    var frames: some Sequence<UnsafeMutablePointer<Frame>> {
        sequence(state: storage.pointee.frame) { next in
            defer { next = next?.pointee.outer }
            return next
        }
    }

    /// Calls `body` in a frame of its own, and restores what was before.
    ///
    /// `servingRest`: whether `body` may leave jobs behind, which are served then.
    @inline(__always)
    func withFrame(
        _ jobs: consuming JobList = JobList(), servingRest: Bool = false,
        _ body: (UnsafeMutablePointer<Frame>) -> Void
    ) {
        let isDeferring = storage.pointee.releases.isDeferring
        var frame = Frame(
            jobs: jobs, deferred: storage.pointee.caused.take(), executing: storage.pointee.executing,
            outer: storage.pointee.frame)
        withUnsafeMutablePointer(to: &frame) { frame in
            storage.pointee.frame = frame
            body(frame)
        }
        let rest = storage.pointee.caused
        storage.pointee.releases.isDeferring = isDeferring
        storage.pointee.executing = frame.executing
        storage.pointee.frame = frame.outer
        storage.pointee.caused = frame.deferred
        if servingRest, !rest.isEmpty { serve(rest) }
    }

    /// Runs `work` with `scheduler` as the current one. Of the jobs that it adds to a callback in progress, those that
    /// other threads may need run before this returns: also those that belong to `scheduler`, which hop to it.
    ///
    /// `runningJobs`: whether `work` runs the scheduler's jobs, in loops of their own.
    func execute<T, Failure>(
        on scheduler: Scheduler, holding: Bool = true, handingOver: Bool = false, runningJobs: Bool = false,
        _ work: () throws(Failure) -> T
    ) throws(Failure) -> T {
        var result: Result<T, Failure>?
        withFrame(servingRest: true) { frame in
            storage.pointee.executing = Executing(
                scheduler: .passUnretained(scheduler), isHeld: holding,
                isServing: !runningJobs && frame.pointee.executing.isServing, handsOver: handingOver)
            // `work` is a part of the disposable that calls this, unlike the jobs that follow.
            let stopping = storage.pointee.stopping
            let isPart = !runningJobs && stopping != nil && stopping?.frame == frame.pointee.outer
            if isPart { storage.pointee.stopping?.frame = frame }
            defer { if isPart { storage.pointee.stopping?.frame = frame.pointee.outer } }
            do throws(Failure) { result = .success(try work()) } catch { result = .failure(error) }
        }
        return try result!.get()
    }

    /// The innermost scheduler that this thread is executing.
    package var scheduler: Unmanaged<Scheduler>? { storage.pointee.executing.scheduler }

    /// Returns the innermost scheduler that this thread is executing, of those that meet the condition.
    // Without arrays: jobs of virtual time ask often.
    func firstScheduler(where condition: (Scheduler, _ isHeld: Bool) -> Bool) -> Scheduler? {
        var (executing, frames) = (storage.pointee.executing, frames.makeIterator())
        while true {
            if let scheduler = executing.scheduler?.takeUnretainedValue(), condition(scheduler, executing.isHeld) {
                return scheduler
            }
            guard let frame = frames.next() else { return nil }
            executing = frame.pointee.executing
        }
    }
}

extension UnsafeMutablePointer<Frame> {
    /// Runs a job of the loop, where a wait in it finds it, and then releases it: that may lead to jobs, which would be
    /// lost behind the last job.
    @inline(__always)
    func runAndRelease(_ job: consuming Job) {
        pointee.running = .passUnretained(job)
        if Recording.hasExtras { runWithExtras(job) } else { job.run() }
        pointee.running = nil
        _ = consume job
    }

    @inline(never)
    private func runWithExtras(_ job: Job) {
        Carried.with(nil) { Recording.recorderIfOn?.run(job) ?? job.run() }
    }
}
