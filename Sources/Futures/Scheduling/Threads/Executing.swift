// Executing: which schedulers a thread executes, and what it runs before it leaves one.

extension ThreadState {
    /// The innermost scheduler that this thread is executing, if there is one.
    var scheduler: Unmanaged<Scheduler>? { storage.pointee.schedulers.last?.scheduler }

    /// Returns whether this thread is executing `scheduler`, perhaps further out.
    func isExecuting(_ scheduler: Scheduler) -> Bool {
        storage.pointee.schedulers.contains { $0.isOn(scheduler) }
    }

    /// Returns whether this thread has exclusive use of `scheduler`, perhaps further out.
    func holds(_ scheduler: Scheduler) -> Bool {
        storage.pointee.schedulers.contains { $0.isHeld && $0.isOn(scheduler) }
    }

    /// Runs `work` with `scheduler` as the current one. Of the jobs that it adds to a callback in progress, those that
    /// other threads may need run before this returns: also those that belong to `scheduler`, which hop to it.
    ///
    /// `runningJobs`: whether `work` runs the scheduler's jobs, in loops of their own.
    func execute<T>(
        on scheduler: Scheduler, holding: Bool = true, handingOver: Bool = false, runningJobs: Bool = false,
        _ work: () throws -> T
    ) rethrows -> T {
        var frame = Frame(deferred: storage.pointee.caused.take(), in: self)
        storage.pointee.schedulers.append(Executing(scheduler: .passUnretained(scheduler), isHeld: holding))
        let (isServing, handsOver) = (storage.pointee.isServing, storage.pointee.handsOver)
        let stopping = storage.pointee.stopping
        if runningJobs { storage.pointee.isServing = false }
        storage.pointee.handsOver = handingOver
        return try withUnsafeMutablePointer(to: &frame) { frame in
            storage.pointee.frame = frame
            // `work` is a part of the disposable that calls this, unlike the jobs that follow.
            if !runningJobs, let stopping, stopping.frame == frame.pointee.outer {
                storage.pointee.stopping?.frame = frame
            }
            defer {
                storage.pointee.stopping = stopping
                storage.pointee.frame = frame.pointee.outer
                storage.pointee.handsOver = handsOver
                storage.pointee.isServing = isServing
                storage.pointee.schedulers.removeLast()
                let jobs = storage.pointee.caused.take()
                storage.pointee.caused = frame.pointee.deferred
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
