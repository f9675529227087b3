// Pass: how jobs that other threads may need run at once, ahead of callbacks.

// A callback may wait for another thread, perhaps with a semaphore. So jobs that other threads might need do not wait
// until it returns: a hop, the end of a turn in a queue, waking a waiting thread or task. They run in a pass, which
// calls no callbacks but keeps them in their order, for the loop.
//
// Such jobs can still call other user code, if rarely: a dispose, the hash of a key, the deinit of a value. That code
// may call back into the library and nest another pass. From sixteen of those on, jobs are left to the pass around. So
// the stack is bounded, whatever user code does.
extension ThreadState {
    /// The number of nested passes from which on jobs are left to the pass around.
    static let passLimit = 16

    /// Runs the urgent jobs, and the urgent ones of those that they lead to. The others run behind the job in progress.
    func pass(_ jobs: consuming JobList) {
        guard let first = jobs.firstUrgency else { return }
        // A single callback needs no pass.
        if storage.pointee.passDepth >= Self.passLimit || first == .callback && !jobs.hasSeveral {
            storage.pointee.caused.append(jobs)
        } else {
            runUrgent(jobs)
        }
    }

    /// Runs the urgent jobs, and the urgent ones of those that they lead to, and returns the others.
    @inline(never)
    func urgentFirst(_ jobs: consuming JobList) -> JobList {
        // A disposable in the pass may wait for a job of the successor.
        storage.pointee.successor.take()?.post()
        runUrgent(jobs)
        return storage.pointee.caused.take()
    }

    private func runUrgent(_ jobs: consuming JobList) {
        var isBehind = false
        storage.pointee.passDepth += 1
        _ = withFrame(jobs) { frame in
            releases.isDeferring = false
            // Other jobs, or the callback in progress, run behind a hop of a pass.
            storage.pointee.handsOver = false
            frame.pointee.isPass = true
            while let urgency = frame.pointee.jobs.firstUrgency {
                guard urgency == .urgent || urgency == .following && !isBehind else {
                    frame.pointee.deferred.append(frame.pointee.jobs.takeFirst())
                    isBehind = true
                    continue
                }
                frame.runAndRelease(frame.pointee.jobs.popFirst()!)
                if !storage.pointee.caused.isEmpty { frame.pointee.jobs.prepend(storage.pointee.caused.take()) }
            }
        }
        storage.pointee.passDepth -= 1
    }
}
