// ThreadState: what a thread is executing, and the jobs that it has yet to run.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Bionic)
    internal import Bionic
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What this thread is executing: its schedulers, and the callbacks that are waiting to run.
///
/// Callbacks run depth first without recursion. `serve` runs jobs in a loop before it returns. The jobs that
/// result from a job are prepended to the loop's list. A callback that attaches or completes something starts a loop
/// inside the loop. Once `nestingLimit` loops are nested, callbacks that would run in place are deferred: they run
/// right after the callback in progress, ahead of everything else that waits. Nothing else is deferred, because the
/// callback may be waiting for another thread that needs it (`NestingLimit.swift`).
///
///     serve ─► list: a b c ─► run a ──► a's callback calls serve(x) ──► loop inside: x      (not yet that deep)
///                                   └─► a completes: its listeners  ──► deferred: l m
///                             prepend deferred: l m b c ─► run l ...
///
/// When `deferralLimit` callbacks have been deferred, the loops unwind: each passes its remaining jobs to the loop
/// around it, and the outermost one continues. If the innermost one continued instead, an endless recursion would never
/// return to the outer callbacks, and the futures that those are about to return could not be cancelled. A repetition
/// of completed futures is a loop that nests nothing, so it asks for that itself (`unwind`).
// A pointer to plain memory instead of an object: nothing to retain at each use. Each access is one load or store, so a
// callback may call back into this in the middle of a loop. Only its own thread accesses it.
package struct ThreadState {
    struct Executing {
        /// Nil for code outside of all schedulers that runs while a nested callback waits (`catchUp`).
        let scheduler: Unmanaged<Scheduler>?
        /// Whether this thread has exclusive use of it, if it is serial. `perform` only makes it the current one.
        let isHeld: Bool

        func isOn(_ scheduler: Scheduler) -> Bool {
            self.scheduler?._withUnsafeGuaranteedRef { $0 == scheduler } ?? false
        }
    }

    struct Storage {
        var schedulers: [Executing] = []
        var depth = 0
        /// The depth outside of the outermost loop of the scheduler that is executing.
        var base = 0
        var deferrals = 0
        var isUnwinding = false
        /// Whether callbacks are deferred as beyond the nesting limit, because loops unwind further out.
        var isHeldBack = false
        var deferred = JobList()
        /// The innermost loop's lists.
        var frame: UnsafeMutablePointer<Frame>?
        /// The number of nested loops that run urgent jobs.
        var urgentDepth = 0
        /// The number of nested waits that run deferred jobs.
        var waitCount = 0
        /// Whether the outermost loop may leave its last hop to the code that serves the scheduler's list.
        var handsOver = false
        var successor: Unmanaged<SerialBackend>?
        /// The strand of the job that this thread runs on a concurrent queue.
        // Unsafe: the inbox and the scheduler outlive the job, which is run by the inbox.
        var strand: (number: UInt, inbox: Unmanaged<Inbox>, scheduler: Unmanaged<Scheduler>)?
        /// The simulation that this thread runs.
        var world: (any World)?
        /// What counts the disposable or handler in progress, and the loop that has called that.
        var stopping: (unfinished: Unmanaged<Unfinished>, frame: UnsafeMutablePointer<Frame>?)?
    }

    /// The number of nested serving loops from which on callbacks wait for the one in progress.
    ///
    /// Each loop uses the stack of one callback and of four frames of the library: 16 of them stay within 64 KiB in a
    /// debug build, an eighth of the smallest stack that Dispatch creates.
    static let nestingLimit = 16

    /// The number of deferred callbacks after which the loops unwind.
    static let deferralLimit = 256

    /// The number of operations of queues that start in a loop inside a callback because others have ended, after which
    /// the loops unwind. High, because a call that ends an operation usually returns behind those that follow.
    static let turnLimit = 4096

    /// The number of jobs in a loop inside a callback that follow from one job and have led to others, after which the
    /// loops unwind.
    static let successorLimit = 1 << 16

    let storage: UnsafeMutablePointer<Storage>

    /// This thread's state, created at its first use and freed when the thread ends.
    package static var here: ThreadState {
        if let known = ThreadStorage.state {
            return ThreadState(storage: known.assumingMemoryBound(to: Storage.self))
        }
        return make()
    }

    /// Tells this thread from the others, as long as it exists.
    package var identity: UInt { UInt(bitPattern: storage) }

    @inline(never)
    private static func make() -> ThreadState {
        let storage = UnsafeMutablePointer<Storage>.allocate(capacity: 1)
        storage.initialize(to: Storage())
        ThreadStorage.keep(state: storage) { pointer in
            guard let storage = pointer?.assumingMemoryBound(to: Storage.self) else { return }
            storage.deinitialize(count: 1)
            storage.deallocate()
        }
        return ThreadState(storage: storage)
    }
}

extension ThreadState {
    /// Runs the jobs and all jobs that they lead to. Callbacks are deferred if loops are nested too deeply.
    @inline(__always)
    package func serve(_ jobs: JobList) {
        let releases = DeferredReleases.here
        serve(jobs, releases, above: releases.count)
    }

    /// Runs the jobs and all jobs that they lead to. Callbacks are deferred if loops are nested too deeply.
    ///
    /// The objects that the jobs release, and those of this thread's `releases` above `count`, are released as
    /// `JobReleases.swift` describes.
    ///
    /// - Parameter urgentFirst: Whether to call callbacks only after the jobs that other threads may need.
    func serve(_ jobs: JobList, _ releases: DeferredReleases, above count: Int, urgentFirst: Bool = false) {
        guard storage.pointee.depth < Self.nestingLimit, !isUrgent, !storage.pointee.isHeldBack else {
            return serveAtLimit(jobs, releasingAbove: count)
        }
        // What callbacks release must not wait for the end of a deallocation further out that has led to them.
        let isDeferring = releases.isDeferring
        releases.isDeferring = false
        storage.pointee.depth += 1
        let isOutermost = storage.pointee.depth == storage.pointee.base + 1
        // A loop that starts while those around it unwind, in a callback that has not returned yet, has a limit
        // of its own.
        let isUnwinding = storage.pointee.isUnwinding
        if isOutermost || isUnwinding {
            storage.pointee.deferrals = 0
            storage.pointee.isUnwinding = false
        }
        var jobs = urgentFirst ? callbacks(behindUrgent: jobs) : jobs
        // What the loops have passed on comes first: it may be listeners of the same future.
        if isUnwinding { jobs.prepend(storage.pointee.deferred.take()) }
        drain(jobs, isOutermost: isOutermost, releases, above: count)
        if isUnwinding { storage.pointee.isUnwinding = true }
        storage.pointee.depth -= 1
        releases.isDeferring = isDeferring
    }

    package func serve(_ job: Job) {
        serve(JobList(job))
    }

    /// Whether a job is in progress.
    package var isServing: Bool { storage.pointee.depth > 0 }

    /// Adds jobs that run right after the job in progress, or immediately if there is none.
    ///
    /// Call this as the last step of a job. In the middle of a callback, the callback could be waiting for those jobs.
    package func serveNext(_ jobs: JobList) {
        if storage.pointee.depth == 0 { serve(jobs) } else { storage.pointee.deferred.append(jobs) }
    }

    /// Continues what loops that unwind have passed on, before the callback in progress does something else. Returns
    /// whether that has to wait behind what remains.
    func continuesUnwinding() -> Bool {
        if storage.pointee.isHeldBack { return true }
        guard storage.pointee.isUnwinding, !storage.pointee.deferred.isEmpty else { return false }
        serve(JobList())
        return !storage.pointee.deferred.isEmpty
    }

    /// Makes all callbacks in progress return, as soon as the job in progress has, before the jobs that it has added
    /// run.
    func unwind() {
        if storage.pointee.depth > storage.pointee.base + 1 { storage.pointee.isUnwinding = true }
    }

    /// Counts a job of a loop inside a callback, if the job has led to others. If there is no end of those, the
    /// callback never returns: so the loops unwind after some.
    ///
    /// Behind a deferred callback, each of them counts like another one. Before, it takes many more, because the call
    /// that has started the loop usually returns behind all that follows from it.
    @inline(__always)
    private func countSuccessors(_ count: inout Int) {
        count += 1
        let isAtLimit = storage.pointee.deferrals > 0 && storage.pointee.depth == Self.nestingLimit
        if isAtLimit { countDeferral() }
        if count == Self.successorLimit { storage.pointee.isUnwinding = true }
    }

    /// Counts an operation of a queue that starts when another one has ended. If that happens in a callback, other
    /// threads may add operations without end. So the loops unwind after some.
    func countTurn() {
        guard let frame = storage.pointee.frame else { return }
        frame.pointee.turnCount += 1
        if frame.pointee.turnCount == Self.turnLimit { unwind() }
    }

    /// Counts a deferred callback, or a job that follows from one.
    func countDeferral() {
        storage.pointee.deferrals += 1
        if storage.pointee.deferrals == Self.deferralLimit { storage.pointee.isUnwinding = true }
    }

    /// Calls `work`, which is not the last step of a job, and runs the jobs that it defers before this returns.
    func serving<T>(_ work: () -> T) -> T {
        guard storage.pointee.depth > 0 else { return work() }
        let releases = DeferredReleases.here
        let (isDeferring, count) = (releases.isDeferring, releases.count)
        let (result, jobs) = settingAside(work)
        releases.isDeferring = isDeferring
        if isDeferring {
            if !jobs.isEmpty { serve(jobs) }
        } else if !jobs.isEmpty || releases.count > count {
            serve(jobs, releases, above: count)
        }
        return result
    }

    /// Calls `work`, and returns the jobs that it defers. Those that were deferred before are kept where a nested wait
    /// finds them.
    func settingAside<T>(_ work: () -> T) -> (T, JobList) {
        var frame = Frame(
            jobs: JobList(), deferred: storage.pointee.deferred.take(),
            schedulerCount: storage.pointee.schedulers.count, outer: storage.pointee.frame, isUrgent: isUrgent)
        return withUnsafeMutablePointer(to: &frame) { frame in
            storage.pointee.frame = frame
            let result = work()
            storage.pointee.frame = frame.pointee.outer
            let jobs = storage.pointee.deferred.take()
            storage.pointee.deferred = frame.pointee.deferred
            return (result, jobs)
        }
    }

    /// Runs the jobs of the outermost loop of a scheduler.
    @inline(never)
    func drainOutermost(_ jobs: JobList) {
        let releases = DeferredReleases.here
        drain(jobs, isOutermost: true, releases, above: releases.count)
    }

    /// Runs the jobs. If the loops unwind, the remaining jobs are deferred.
    // Inlined, because each step without a thread of its own runs such a loop.
    @inline(__always)
    private func drain(_ jobs: JobList, isOutermost: Bool, _ releases: DeferredReleases, above count: Int) {
        var frame = Frame(
            jobs: jobs, deferred: storage.pointee.deferred.take(), schedulerCount: storage.pointee.schedulers.count,
            outer: storage.pointee.frame)
        // How many jobs have led to others, all of which follow from one job, and the job behind all of those.
        var (successorCount, sibling) = (0, ObjectIdentifier?.none)
        withUnsafeMutablePointer(to: &frame) { frame in
            storage.pointee.frame = frame
            while true {
                if releases.count > count { releaseUnlessNeeded(before: frame, above: count) }
                guard let job = frame.pointee.jobs.popFirst() else { break }
                // While anything is counted, the list retains the sibling, so no other job has its address.
                if ObjectIdentifier(job) == sibling { successorCount = 0 }
                // The job that runs now might wait for it.
                if storage.pointee.successor != nil { takeSuccessor()?.post() }
                frame.run(job)
                // Released first: that may defer a job, which would be lost behind the last job.
                releases.isDeferring = true
                _ = consume job
                releases.isDeferring = false
                if !storage.pointee.deferred.isEmpty {
                    if !isOutermost, successorCount == 0 {
                        sibling = frame.pointee.jobs.firstJob.map(ObjectIdentifier.init)
                    }
                    frame.pointee.jobs.prepend(storage.pointee.deferred.take())
                    if !isOutermost { countSuccessors(&successorCount) }
                }
                guard storage.pointee.isUnwinding else { continue }
                if !isOutermost {
                    if releases.count > count || !frame.pointee.jobs.isEmpty {
                        releaseBeforeUnwinding(frame, above: count)
                    }
                    break
                }
                storage.pointee.isUnwinding = false
                storage.pointee.deferrals = 0
            }
            storage.pointee.frame = frame.pointee.outer
        }
        frame.deferred.append(frame.jobs)
        storage.pointee.deferred = frame.deferred
    }
}

/// Gives up the processor to another thread.
func yieldThread() {
    sched_yield()
}
