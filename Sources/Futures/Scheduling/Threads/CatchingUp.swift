// Catching up: what a thread does with its jobs before a callback blocks it.

internal import Dispatch

// A callback that waits blocks its thread, and with it all jobs that the thread has yet to run:
//
// 1. Those to which the callback itself has led run here, nested in it.
// 2. Another thread serves the others, which stand behind the callback or belong to callbacks further out. There, a job
//    hops to its scheduler. If this thread has exclusive use of that, the job waits for the callback, as all jobs that
//    are enqueued there, and `checkObstacles` finds it. Callbacks on `.immediate` run on the other thread.
//
// A job that runs here may wait too, and come back here. Each callback then waits for something that it has started
// itself, so the stack is the user's to limit.
extension ThreadState {
    /// Runs the jobs to which the callback in progress has led, until `isDone`, before it blocks the thread. Then passes on
    /// the other jobs.
    func catchUp(until isDone: () -> Bool) {
        guard storage.pointee.frame != nil else { return }
        let (count, handsOver) = (releases.count, storage.pointee.handsOver)
        // No code would continue with what is handed over, as the thread blocks when this returns.
        storage.pointee.handsOver = false
        let added = withFrame { _ in
            releases.isDeferring = false
            storage.pointee.isServing = true
            runOwnJobs(until: isDone, releasingAbove: count)
            release(above: count)
        }
        storage.pointee.handsOver = handsOver
        storage.pointee.caused.append(added)
        if !isDone() { passJobsOn() }
    }

    /// Whether a job is in progress that a wait in it blocks.
    var isRunning: Bool { storage.pointee.frame != nil }

    /// The jobs in progress, the innermost one first.
    var runningJobs: [Job] { frames.compactMap { $0.pointee.running?.takeUnretainedValue() } }

    private func runOwnJobs(until isDone: () -> Bool, releasingAbove count: Int) {
        for frame in frames {
            // What a frame has set aside belongs to the job around it.
            guard frame.pointee.running == nil else { return }
            while !frame.pointee.deferred.isEmpty, !isDone() { runDeferred(of: frame, releasingAbove: count) }
        }
    }

    /// Runs the first job that a frame has set aside, on the scheduler that was current then, and puts the jobs to which
    /// it leads at the front. Before a callback, it releases the waiting references.
    private func runDeferred(of frame: UnsafeMutablePointer<Frame>, releasingAbove count: Int) {
        let executing = storage.pointee.executing
        storage.pointee.executing = frame.pointee.executing
        if frame.pointee.deferred.firstUrgency == .callback { release(above: count) }
        if let job = frame.pointee.deferred.popFirst() {
            runAndRelease(consume job, in: storage.pointee.frame!)
            if !storage.pointee.caused.isEmpty { frame.pointee.deferred.prepend(takeCaused()) }
        }
        storage.pointee.executing = executing
    }

    /// Has another thread serve the jobs that this one has yet to run.
    private func passJobsOn() {
        var jobs = storage.pointee.caused.take()
        for frame in frames {
            jobs.append(frame.pointee.jobs.take())
            jobs.append(frame.pointee.deferred.take())
        }
        guard !jobs.isEmpty else { return }
        let work = ClosureJob { [jobs] in ThreadState.here.serve(jobs) }
        // A thread of their own, as there is no limit to those that wait. In a simulation, one of its jobs.
        if Worlds.here != nil {
            Scheduler.background.enqueue(work)
        } else {
            DispatchQueue(label: "futures.passedOn").submit { work.run() }
        }
    }
}
