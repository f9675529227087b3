// Catching up: what a thread does with its jobs before a callback blocks it.

internal import Dispatch

// A callback that waits blocks its thread, and with it all jobs that the thread has yet to run:
//
// 1. Those to which the callback itself has led run here, nested in it.
// 2. Another thread serves the others, which stand behind the callback or belong to callbacks further out. There, a job
//    hops to its scheduler. Callbacks on `.immediate` run on the other thread.
// 3. If this thread has exclusive use of a job's scheduler, the job stays where it is, and `checkObstacles` finds it.
//    Elsewhere, it would only wait for the callback, and lose its place.
//
// A job that runs here may wait too, and come back here: so the stack is the user's to limit.
extension ThreadState {
    /// Runs the jobs to which the callback in progress has led, until `isDone`, before it blocks the thread. Then
    /// passes on the other jobs.
    func catchUp(until isDone: () -> Bool) {
        guard storage.pointee.frame != nil else { return }
        // No code continues with what is handed over, as the thread blocks when this returns.
        storage.pointee.successor.take()?.post()
        withFrame { own in
            storage.pointee.releases.isDeferring = false
            for frame in frames {
                // What a frame has set aside belongs to the job around it, and to the scheduler that was current then.
                guard frame.pointee.running == nil else { break }
                storage.pointee.executing = frame.pointee.executing
                storage.pointee.executing.isServing = true
                storage.pointee.executing.handsOver = false
                while !frame.pointee.deferred.isEmpty, !isDone() {
                    own.runAndRelease(frame.pointee.deferred.popFirst()!)
                    // The jobs to which it leads come first.
                    frame.pointee.deferred.prepend(takeCaused())
                }
            }
        }
        if !isDone() { passJobsOn() }
    }

    /// The jobs in progress, the innermost one first.
    var runningJobs: [Job] { frames.compactMap { $0.pointee.running?.takeUnretainedValue() } }

    /// The nodes whose jobs are in progress: they cannot complete while this thread waits.
    package var runningNodes: [Node] { runningJobs.compactMap { $0 as? Node } }

    /// Has another thread serve the jobs that this one has yet to run, but for those that would wait for this one
    /// there.
    private func passJobsOn() {
        var jobs = JobList()
        takeFree(of: &storage.pointee.caused, into: &jobs)
        for frame in frames {
            // What a pass has set aside stands ahead of what it has yet to look at.
            takeFree(of: &frame.pointee.deferred, into: &jobs)
            takeFree(of: &frame.pointee.jobs, into: &jobs)
        }
        guard !jobs.isEmpty else { return }
        // A thread of their own, of which Dispatch has 255. In a simulation, one of its jobs.
        if Worlds.here != nil {
            Scheduler.background.async { [jobs] in ThreadState.here.serve(jobs) }
        } else {
            DispatchQueue(label: "futures.passedOn").submit { [jobs] in ThreadState.here.serve(jobs) }
        }
    }

    /// Moves the jobs that do not need a scheduler of which this thread has exclusive use.
    private func takeFree(of list: inout JobList, into jobs: inout JobList) {
        var kept = JobList()
        while let job = list.popFirst() {
            let isBlocked = job.onlyScheduler.map { $0.backend.isSerial && $0.isHeld } ?? false
            if isBlocked { kept.append(job) } else { jobs.append(job) }
        }
        list = kept
    }
}
