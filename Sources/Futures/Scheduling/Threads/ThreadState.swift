// ThreadState: what a thread is executing, and what it has yet to run and to release.

internal import CFutures

/// The schedulers that a thread is executing, the jobs that it has yet to run, and what it has yet to release.
///
/// Jobs run one after the other, depth first, without recursion. The first call of `serve` runs jobs in a loop before
/// it returns; the jobs that result from a job are prepended to the loop's list. So no callback runs inside of another.
///
/// A callback may wait for another thread, perhaps with a semaphore. So jobs that other threads may need run at once,
/// in a *pass*, which calls no callbacks but keeps them in their order: a hop, the end of a turn in a queue, waking a
/// waiting thread or task. Rarely, such jobs call other user code (a dispose, the hash of a key, the deinit of a
/// value), which may call back into the library and nest another pass.
///
///     serve ─► list: a b c ─► run a ──► a's callback completes a future: its listeners x, h
///                                  │        pass: h hops at once; x is a callback, so it is caused by a
///                                  └─► prepend what a has caused: x b c ─► run x ...
// A pointer to plain memory instead of an object: nothing to retain at each use. Only its own thread accesses it, by
// single loads and stores: so a callback may call back into this in the middle of a loop.
package struct ThreadState {
    /// The scheduler that a thread is executing, and how.
    struct Executing {
        /// Nil outside of all schedulers.
        var scheduler: Unmanaged<Scheduler>?
        /// Whether the thread has exclusive use of the scheduler, if that is serial. `perform` only makes it current.
        var isHeld = false
        /// Whether a loop runs the scheduler's jobs.
        var isServing = false
        /// Whether the outermost loop may leave its last hop to the code that serves the scheduler's list.
        var handsOver = false
    }

    struct Storage {
        // The first one, as it is used most often.
        var releases = DeferredReleases.Storage()
        /// The innermost one. Frames have those further out.
        var executing = Executing()
        /// What the job in progress has led to, in order. It runs when the job has returned.
        var caused = JobList()
        /// The innermost one.
        var frame: UnsafeMutablePointer<Frame>?
        /// The number of nested passes.
        var passDepth = 0
        /// The backend that was handed over, which has received its first job.
        var successor: SerialBackend?
        /// The strand of the job that this thread runs on a concurrent queue.
        var strand: (number: UInt, scheduler: Scheduler)?
        /// The simulation that this thread runs.
        var world: (any World)?
        /// What counts the disposable or handler in progress, if that is known or was asked for, and the frame in which
        /// that was called.
        var stopping: (unfinished: Unfinished?, frame: UnsafeMutablePointer<Frame>?)?
    }

    let storage: UnsafeMutablePointer<Storage>

    /// This thread's state, created at its first use and freed when the thread ends.
    package static var here: ThreadState {
        if let known = cfutures_thread_state() {
            return ThreadState(storage: known.assumingMemoryBound(to: Storage.self))
        }
        return make()
    }

    /// Tells this thread from the others, as long as it exists.
    package var identity: UInt { UInt(bitPattern: storage) }

    @inline(__always)
    var releases: DeferredReleases {
        DeferredReleases(storage: withUnsafeMutablePointer(to: &storage.pointee.releases) { $0 })
    }

    @inline(never)
    private static func make() -> ThreadState {
        let storage = UnsafeMutablePointer<Storage>.allocate(capacity: 1)
        storage.initialize(to: Storage())
        cfutures_set_thread_state(storage) { pointer in
            guard let storage = pointer?.assumingMemoryBound(to: Storage.self) else { return }
            storage.deinitialize(count: 1)
            storage.deallocate()
        }
        return ThreadState(storage: storage)
    }
}

extension ThreadState {
    /// Runs the jobs and all jobs that they lead to. In a job of a loop, runs only those that other threads may need,
    /// and leaves the others to the loop, right behind the job in progress.
    package func serve(_ jobs: JobList) {
        guard !storage.pointee.executing.isServing else { return pass(jobs) }
        // Inlined, because each step without a thread of its own runs such a loop.
        @inline(__always)
        func drain(_ frame: UnsafeMutablePointer<Frame>) {
            storage.pointee.executing.isServing = true
            // What callbacks release must not wait for the end of a deallocation further out that has led to them.
            storage.pointee.releases.isDeferring = false
            if jobs.hasSeveral { frame.pointee.jobs = urgentFirst(frame.pointee.jobs.take()) }
            while let job = frame.pointee.jobs.popFirst() {
                // The job that runs now might wait for it.
                if storage.pointee.successor != nil { storage.pointee.successor.take()?.post() }
                frame.runAndRelease(consume job)
                // A strand ends with its job, before what that leads to.
                if storage.pointee.strand != nil, !storage.pointee.caused.isEmpty { passStrandOn() }
                if !storage.pointee.caused.isEmpty { frame.pointee.jobs.prepend(takeCaused()) }
            }
        }
        withFrame(jobs, drain)
    }

    package func serve(_ job: Job) { serve(JobList(job)) }

    /// Adds jobs that run right after the job in progress, or immediately if there is none.
    ///
    /// Call this as the last step of a job. In the middle of a callback, the callback could be waiting for those jobs.
    // Inlined: to call it takes 20 instructions of each step.
    @usableFromInline @inline(__always)
    package func serveNext(_ jobs: JobList) {
        if storage.pointee.executing.isServing {
            storage.pointee.caused.append(jobs)
        } else if !jobs.isEmpty {
            serve(jobs)
        }
    }

    /// Calls `body`, which ends nodes from outside, and serves the jobs that it returns. What `body` releases is
    /// released when all of the nodes have ended, before the jobs.
    func serve(ending body: () -> JobList) {
        var jobs = JobList()
        releases.collect { jobs = body() }
        if !jobs.isEmpty { serve(jobs) }
    }

    /// Calls `work`, which is not the last step of a job, and then runs those of the jobs that it adds that other
    /// threads may need.
    func serving<T>(_ work: () -> T) -> T {
        guard storage.pointee.executing.isServing else { return work() }
        var result: T?
        withFrame(servingRest: true) { _ in result = work() }
        return result!
    }

    /// Takes what the job that has run has led to. Of several jobs, those that other threads may need have run.
    @inline(__always)
    func takeCaused() -> JobList {
        let jobs = storage.pointee.caused.take()
        return jobs.hasSeveral ? urgentFirst(jobs) : jobs
    }

    /// The limit of nested passes. Behind it, jobs are left to the loop or pass around: so the stack is bounded,
    /// whatever user code does.
    private static let passLimit = 16

    /// Runs the urgent jobs, and the urgent ones of those that they lead to, and returns the others.
    @inline(never)
    func urgentFirst(_ jobs: consuming JobList) -> JobList {
        // A disposable in the pass may wait for a job of the successor.
        storage.pointee.successor.take()?.post()
        runUrgent(jobs)
        return storage.pointee.caused.take()
    }

    /// The same, but leaves the others to run behind the job in progress.
    private func pass(_ jobs: consuming JobList) {
        // A single callback needs no pass.
        let isCallback = !jobs.hasSeveral && jobs.firstUrgency ?? .callback == .callback
        if isCallback || storage.pointee.passDepth >= Self.passLimit { return storage.pointee.caused.append(jobs) }
        runUrgent(jobs)
    }

    private func runUrgent(_ jobs: consuming JobList) {
        var isBehind = false
        storage.pointee.passDepth += 1
        withFrame(jobs) { frame in
            storage.pointee.releases.isDeferring = false
            // Other jobs, or the callback in progress, run behind a hop of a pass.
            storage.pointee.executing.handsOver = false
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
