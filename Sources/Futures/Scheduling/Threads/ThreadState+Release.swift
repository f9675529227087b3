// Releases at the end of a job: after all that other threads may need.

// The deinit of a value, an error or a closure's context is user code and may block, until another thread has
// come by what the job in progress has led to. So nothing is released between that and its hand-over:
//
//     job runs ─► its node has settled: `serveLast` ─► what is released now waits in `DeferredReleases`
//                        │
//                        ▼
//     its listeners that hop, pass on a result, wake a thread … run
//                        │
//                        ▼
//     what waited is released ─► the next callback is called in place
//
// Callbacks are not called before: they may wait for a release. And a chain in place keeps one result more than without
// this, not all of them.
extension ThreadState {
    /// Adds jobs that run right after the job in progress, as its last step: what that releases from now on is released
    /// once they have run, as far as other threads may need them. To be called by a job only, at its end.
    @usableFromInline
    func serveLast(_ jobs: JobList) {
        guard storage.pointee.depth > 0 else {
            if !jobs.isEmpty { serve(jobs) }
            return
        }
        storage.pointee.deferred.append(jobs)
        DeferredReleases.here.isDeferring = true
    }

    /// Says that the job in progress is at its end, as `serveLast`.
    func endsJob() {
        if storage.pointee.depth > 0 { DeferredReleases.here.isDeferring = true }
    }

    /// Serves the jobs that `body` returns, which has ended nodes from outside: first all that other threads may need.
    /// Then what `body` has released is released, and callbacks are called.
    func serve(ending body: () -> JobList) {
        let releases = DeferredReleases.here
        let (isDeferring, count) = (releases.isDeferring, releases.count)
        releases.isDeferring = true
        let jobs = body()
        releases.isDeferring = isDeferring
        guard !jobs.isEmpty || !isDeferring && releases.count > count else { return }
        serve(jobs, releasingAbove: isDeferring ? releases.count : count, urgentFirst: true)
    }

    /// Releases what waits above `count`, unless the next job of the loop may be needed by other threads.
    func releaseUnlessNeeded(before frame: UnsafeMutablePointer<Frame>, above count: Int) {
        if !frame.pointee.jobs.isEmpty, !frame.pointee.jobs.isFirstCallback { return }
        release(above: count)
        frame.pointee.jobs.prepend(storage.pointee.deferred.take())
    }

    /// Releases what waits above `count`, and leaves the jobs to another loop but for those that other threads may
    /// need.
    func releaseBeforeUnwinding(_ frame: UnsafeMutablePointer<Frame>, above count: Int) {
        let isUnwinding = storage.pointee.isUnwinding
        serveUrgent(frame.pointee.jobs.take())
        frame.pointee.jobs.prepend(storage.pointee.deferred.take())
        release(above: count)
        frame.pointee.jobs.prepend(storage.pointee.deferred.take())
        storage.pointee.isUnwinding = isUnwinding
    }

    /// Releases what waits above `count`.
    func release(above count: Int) {
        let releases = DeferredReleases.here
        guard releases.count > count else { return }
        // What is released may wait for it.
        takeSuccessor()?.post()
        releases.releaseInOrder(above: count)
    }
}

extension JobList {
    /// Whether the first job would call a callback; false if there is none.
    var isFirstCallback: Bool {
        guard case .callback = firstUrgency else { return false }
        return true
    }
}
