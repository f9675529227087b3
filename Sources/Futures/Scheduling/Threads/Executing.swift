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

    /// Whether this thread is executing no scheduler.
    var isOutside: Bool { storage.pointee.schedulers.isEmpty }

    /// Runs `work` with `scheduler` as the current one. Jobs that it defers run before this returns, on that scheduler
    /// too; but beyond the nesting limit, or while loops unwind, only those that other threads may need, unless `work`
    /// runs the scheduler's jobs.
    func execute<T>(
        on scheduler: Scheduler, holding: Bool = true, handingOver: Bool = false, runningJobs: Bool = false,
        _ work: () throws -> T
    ) rethrows -> T {
        let isHeldBack = !runningJobs && continuesUnwinding()
        var frame = Frame(
            jobs: JobList(), deferred: storage.pointee.deferred.take(),
            schedulerCount: storage.pointee.schedulers.count, outer: storage.pointee.frame)
        storage.pointee.schedulers.append(Executing(scheduler: .passUnretained(scheduler), isHeld: holding))
        let (base, isUnwinding) = (storage.pointee.base, storage.pointee.isUnwinding)
        let (handsOver, deferrals) = (storage.pointee.handsOver, storage.pointee.deferrals)
        let wasHeldBack = storage.pointee.isHeldBack
        let stopping = storage.pointee.stopping
        storage.pointee.base = storage.pointee.depth
        storage.pointee.deferrals = 0
        storage.pointee.isUnwinding = false
        storage.pointee.handsOver = handingOver
        storage.pointee.isHeldBack = isHeldBack
        return try withUnsafeMutablePointer(to: &frame) { frame in
            storage.pointee.frame = frame
            // `work` is a part of the disposable that calls this, unlike the jobs that follow.
            if !runningJobs, let stopping, stopping.frame == frame.pointee.outer { storage.pointee.stopping?.frame = frame }
            defer {
                storage.pointee.stopping = stopping
                var deferred = storage.pointee.deferred.take()
                if !deferred.isEmpty {
                    if runningJobs {
                        drainOutermost(deferred)
                    } else if storage.pointee.depth < Self.nestingLimit, !isHeldBack {
                        storage.pointee.depth += 1
                        drainOutermost(deferred)
                        storage.pointee.depth -= 1
                    } else {
                        serveUrgent(deferred)
                    }
                    deferred = storage.pointee.deferred.take()
                }
                storage.pointee.frame = frame.pointee.outer
                storage.pointee.handsOver = handsOver
                storage.pointee.isHeldBack = wasHeldBack
                storage.pointee.base = base
                storage.pointee.isUnwinding = isUnwinding
                storage.pointee.deferrals = deferrals
                storage.pointee.deferred = frame.pointee.deferred
                storage.pointee.deferred.append(deferred)
                storage.pointee.schedulers.removeLast()
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
        guard storage.pointee.handsOver, storage.pointee.depth == storage.pointee.base + 1,
            storage.pointee.successor == nil
        else { return false }
        storage.pointee.successor = .passRetained(backend)
        return true
    }

    /// The backend that was handed over, if there is one.
    var successor: SerialBackend? { storage.pointee.successor?.takeUnretainedValue() }

    func takeSuccessor() -> SerialBackend? { storage.pointee.successor.take()?.takeRetainedValue() }
}
