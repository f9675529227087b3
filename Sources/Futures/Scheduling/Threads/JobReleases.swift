// Releases at the end of a job: after all that other threads may need.

// The deinit of a value, an error or a closure's context is user code and may block, until another thread has
// come by what the job in progress has led to:
//
//     job runs ─► its node has settled: `serveLast` ─► what is released now waits in `DeferredReleases`
//              ─► its listeners that hop, pass on a result, wake a thread … run
//              ─► what waited is released ─► the next callback, which may wait for a release, is called in place
extension ThreadState {
    /// Adds jobs that run right after the job in progress. What the job releases from now on is released when those of
    /// them that other threads may need have run. Only a job may call this, as its last step.
    // Inlined: to call it takes 20 instructions of each step.
    @usableFromInline @inline(__always)
    func serveLast(_ jobs: JobList) {
        guard storage.pointee.isServing else {
            if !jobs.isEmpty { serve(jobs) }
            return
        }
        storage.pointee.caused.append(jobs)
        releases.isDeferring = true
    }

    /// Says, as `serveLast` does, that the job in progress is at its end.
    func endsJob() {
        if storage.pointee.isServing { releases.isDeferring = true }
    }

    /// Calls `body`, which ends nodes from outside, and serves the jobs that it returns: first those that other threads
    /// may need. Then it releases what `body` has left to be released, and runs the jobs that are callbacks.
    func serve(ending body: () -> JobList) {
        let (isDeferring, count) = (releases.isDeferring, releases.count)
        releases.isDeferring = true
        let jobs = body()
        releases.isDeferring = isDeferring
        guard !jobs.isEmpty || !isDeferring && releases.count > count else { return }
        serve(jobs, releasingAbove: isDeferring ? releases.count : count)
    }

    /// Releases the deferred objects except for the first `count`, unless another thread may need the loop's next job.
    func releaseUnlessNeeded(before frame: UnsafeMutablePointer<Frame>, above count: Int) {
        if let next = frame.pointee.jobs.firstUrgency, next != .callback { return }
        release(above: count)
        if !storage.pointee.caused.isEmpty { frame.pointee.jobs.prepend(takeCaused()) }
    }

    /// Releases the deferred objects except for the first `count`.
    func release(above count: Int) {
        guard releases.count > count else { return }
        // The deinit of a released object may wait for a job of the successor.
        storage.pointee.successor.take()?.post()
        releases.releaseInOrder(above: count)
    }
}
