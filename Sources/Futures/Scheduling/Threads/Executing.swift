// Executing: which schedulers a thread executes, and what it runs before it leaves one.

extension ThreadState {
    /// The innermost scheduler that this thread is executing, if there is one.
    package var scheduler: Unmanaged<Scheduler>? { storage.pointee.executing?.scheduler }

    /// Whether this thread is executing `scheduler`, perhaps further out, and has exclusive use of it.
    func holds(_ scheduler: Scheduler) -> Bool {
        func isHeld(_ executing: Executing?) -> Bool {
            guard let executing, executing.isHeld else { return false }
            return executing.scheduler._withUnsafeGuaranteedRef { $0 == scheduler }
        }
        return isHeld(storage.pointee.executing) || frames.contains { isHeld($0.pointee.executing) }
    }

    /// Runs `work` with `scheduler` as the current one. Of the jobs that it adds to a callback in progress, those that
    /// other threads may need run before this returns: also those that belong to `scheduler`, which hop to it.
    ///
    /// `runningJobs`: whether `work` runs the scheduler's jobs, in loops of their own.
    func execute<T>(
        on scheduler: Scheduler, holding: Bool = true, handingOver: Bool = false, runningJobs: Bool = false,
        _ work: () throws -> T
    ) rethrows -> T {
        var frame = Frame(in: self)
        let stopping = storage.pointee.stopping
        storage.pointee.executing = Executing(scheduler: .passUnretained(scheduler), isHeld: holding)
        storage.pointee.handsOver = handingOver
        if runningJobs { storage.pointee.isServing = false }
        return try withUnsafeMutablePointer(to: &frame) { frame in
            storage.pointee.frame = frame
            // `work` is a part of the disposable that calls this, unlike the jobs that follow.
            if !runningJobs, let stopping, stopping.frame == frame.pointee.outer {
                storage.pointee.stopping?.frame = frame
            }
            defer {
                storage.pointee.stopping = stopping
                storage.pointee.executing = frame.pointee.executing
                let jobs = frame.pointee.end(in: self)
                if !jobs.isEmpty { serve(jobs) }
            }
            return try work()
        }
    }
}

extension ThreadState {
    /// Keeps `backend`, which has received its first job, for the code that serves this thread's list to continue with
    /// when that list is empty. Returns false if user code may run before that.
    ///
    /// Call this as the last step of a job: the outermost loop then only ends, or wakes another thread for `backend`
    /// before its next job.
    func handOver(to backend: SerialBackend) -> Bool {
        guard storage.pointee.handsOver, storage.pointee.successor == nil else { return false }
        storage.pointee.successor = backend
        return true
    }
}
