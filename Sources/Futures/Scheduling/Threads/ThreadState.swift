// ThreadState: what a thread is executing, and what it has still to serve.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Bionic)
    internal import Bionic
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What this thread is executing: its schedulers, and the callbacks that wait to be served.
///
/// Callbacks are served depth-first without recursion (rule 10). `serve` runs jobs before it returns, by a loop of
/// its own; what such a job completes is prepended to that loop's list. A callback that attaches or completes
/// something starts a loop inside of the loop, and from `nestingLimit` loops on callbacks that would run in place are
/// deferred: they run right after the callback in progress, ahead of all else that waits. Nothing else is deferred, as
/// the callback may wait for another thread that needs it (`ThreadState+Limit.swift`).
///
///     serve ─► list: a b c ─► run a ──► a's callback calls serve(x) ──► loop inside: x      (not yet that deep)
///                                   └─► a completes: its listeners  ──► deferred: l m
///                             prepend deferred: l m b c ─► run l ...
///
/// When the limit was reached `patience` times, the loops unwind: each hands what it has left to the one around it, and
/// the outermost goes on. Were the innermost one to go on, an endless recursion would never come back to the callbacks
/// further out, and the futures that those are about to return could not be cancelled.
// A pointer to plain memory rather than an object: nothing to retain at each use. Each access is one load or store, so
// that a callback may come back here in the middle of a loop. Only its own thread has it.
package struct ThreadState {
    struct Executing {
        /// None stands for code outside of all schedulers, run for a wait further in (`catchUp`).
        let scheduler: Unmanaged<Scheduler>?
        /// Whether this thread has exclusive use of it, if it is serial: `perform` only makes it the current one.
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
        var deferred = JobList()
        /// The innermost loop's lists.
        var frame: UnsafeMutablePointer<Frame>?
        /// How many loops run what may not wait for callbacks, one inside of the other.
        var urgentDepth = 0
        /// How many waits run what was deferred, one inside of the other.
        var waitCount = 0
        /// Whether the outermost loop may leave its last hop to whoever serves the scheduler's list.
        var handsOver = false
        var successor: Unmanaged<SerialBackend>?
    }

    /// How many serving loops a thread nests before callbacks wait for the one in progress.
    ///
    /// Each loop costs the stack of one callback and of our four frames: 16 of them stay within 64 KiB in a debug
    /// build, an eighth of the smallest stack that Dispatch makes.
    static let nestingLimit = 16

    /// How many callbacks are deferred before the loops unwind.
    static let patience = 256

    let storage: UnsafeMutablePointer<Storage>

    /// This thread's state, made at its first use and freed with the thread.
    package static var here: ThreadState {
        if let known = ThreadStorage.pointer {
            return ThreadState(storage: known.assumingMemoryBound(to: Storage.self))
        }
        return make()
    }

    @inline(never)
    private static func make() -> ThreadState {
        let storage = UnsafeMutablePointer<Storage>.allocate(capacity: 1)
        storage.initialize(to: Storage())
        ThreadStorage.keep(storage) { pointer in
            guard let storage = pointer?.assumingMemoryBound(to: Storage.self) else { return }
            storage.deinitialize(count: 1)
            storage.deallocate()
        }
        return ThreadState(storage: storage)
    }
}

/// What a loop has still to do, on its stack, so that a wait further in can come by it.
// Unsafe: loops refer to it by its address. It is in `withUnsafeMutablePointer`, and off the thread's list before that ends.
// Held by `NestingTests`.
struct Frame {
    /// What the loop has still to run, when the job in progress has returned.
    var jobs: JobList
    /// What the code that started the loop had deferred before.
    var deferred: JobList
    /// How many schedulers the thread was executing: both lists are for the last one of them.
    let schedulerCount: Int
    let outer: UnsafeMutablePointer<Frame>?
}

extension ThreadState {
    /// Runs the jobs and all that they complete; callbacks are deferred, if loops are nested too deeply.
    package func serve(_ jobs: JobList) {
        serve(jobs, releasingAbove: DeferredReleases.here.count)
    }

    /// The same; and what is released meanwhile, with all that waits above `count`, as `ThreadState+Release.swift` says.
    func serve(_ jobs: JobList, releasingAbove count: Int) {
        guard storage.pointee.depth < Self.nestingLimit else { return serveAtLimit(jobs, releasingAbove: count) }
        // What callbacks release is not to wait until a deallocation further out, which has led to them, is over.
        let releases = DeferredReleases.here
        let isDeferring = releases.isDeferring
        releases.isDeferring = false
        storage.pointee.depth += 1
        let isOutermost = storage.pointee.depth == storage.pointee.base + 1
        if isOutermost { storage.pointee.deferrals = 0 }
        drain(jobs, isOutermost: isOutermost, releasingAbove: count)
        storage.pointee.depth -= 1
        releases.isDeferring = isDeferring
    }

    package func serve(_ job: Job) {
        serve(JobList(job))
    }

    /// Whether a job is in progress.
    package var isServing: Bool { storage.pointee.depth > 0 }

    /// Adds jobs that run right after the job in progress; at once, if there is none.
    ///
    /// To be called as the last step of a job: were it called in the middle of a callback, that could wait for them.
    package func serveNext(_ jobs: JobList) {
        if storage.pointee.depth == 0 { serve(jobs) } else { storage.pointee.deferred.append(jobs) }
    }

    /// Calls `work`, which does not stand at the end of a job, and runs what that defers before this returns.
    func serving<T>(_ work: () -> T) -> T {
        guard storage.pointee.depth > 0 else { return work() }
        let outer = storage.pointee.deferred.take()
        let releases = DeferredReleases.here
        let (isDeferring, count) = (releases.isDeferring, releases.count)
        let result = work()
        let jobs = storage.pointee.deferred.take()
        storage.pointee.deferred = outer
        releases.isDeferring = isDeferring
        if isDeferring {
            if !jobs.isEmpty { serve(jobs) }
        } else if !jobs.isEmpty || releases.count > count {
            serve(jobs, releasingAbove: count)
        }
        return result
    }

    /// Runs the jobs; what is left of them if the loops unwind is deferred.
    private func drain(_ jobs: JobList, isOutermost: Bool, releasingAbove count: Int) {
        let releases = DeferredReleases.here
        var frame = Frame(
            jobs: jobs, deferred: storage.pointee.deferred.take(), schedulerCount: storage.pointee.schedulers.count,
            outer: storage.pointee.frame)
        withUnsafeMutablePointer(to: &frame) { frame in
            storage.pointee.frame = frame
            while true {
                if releases.count > count { releaseUnlessNeeded(before: frame, above: count) }
                guard let job = frame.pointee.jobs.popFirst() else { break }
                // What runs now might wait for it.
                if storage.pointee.successor != nil { takeSuccessor()?.post() }
                job.run()
                // Released first: what goes with it may defer something, which would be lost behind the last job.
                releases.isDeferring = true
                _ = consume job
                releases.isDeferring = false
                if !storage.pointee.deferred.isEmpty {
                    frame.pointee.jobs.prepend(storage.pointee.deferred.take())
                }
                guard storage.pointee.isUnwinding else { continue }
                if !isOutermost {
                    if releases.count > count { releaseBeforeUnwinding(frame, above: count) }
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

extension ThreadState {
    /// The innermost scheduler that this thread is executing, if there is one.
    var scheduler: Unmanaged<Scheduler>? { storage.pointee.schedulers.last?.scheduler }

    /// Whether this thread is executing `scheduler`, further out perhaps.
    func isExecuting(_ scheduler: Scheduler) -> Bool {
        storage.pointee.schedulers.contains { $0.isOn(scheduler) }
    }

    /// Whether this thread has exclusive use of `scheduler`, further out perhaps.
    func holds(_ scheduler: Scheduler) -> Bool {
        storage.pointee.schedulers.contains { $0.isHeld && $0.isOn(scheduler) }
    }

    /// Whether this thread is executing no scheduler.
    var isOutside: Bool { storage.pointee.schedulers.isEmpty }

    /// Runs `work` as a part of `scheduler`; what it defers runs before this returns, on that scheduler too.
    func execute<T>(
        on scheduler: Scheduler, holding: Bool = true, handingOver: Bool = false, _ work: () throws -> T
    ) rethrows -> T {
        var frame = Frame(
            jobs: JobList(), deferred: storage.pointee.deferred.take(),
            schedulerCount: storage.pointee.schedulers.count, outer: storage.pointee.frame)
        storage.pointee.schedulers.append(Executing(scheduler: .passUnretained(scheduler), isHeld: holding))
        let (base, isUnwinding) = (storage.pointee.base, storage.pointee.isUnwinding)
        let handsOver = storage.pointee.handsOver
        storage.pointee.base = storage.pointee.depth
        storage.pointee.deferrals = 0
        storage.pointee.isUnwinding = false
        storage.pointee.handsOver = handingOver
        return try withUnsafeMutablePointer(to: &frame) { frame in
            storage.pointee.frame = frame
            defer {
                let deferred = storage.pointee.deferred.take()
                if !deferred.isEmpty {
                    drain(deferred, isOutermost: true, releasingAbove: DeferredReleases.here.count)
                }
                storage.pointee.frame = frame.pointee.outer
                storage.pointee.handsOver = handsOver
                storage.pointee.base = base
                storage.pointee.isUnwinding = isUnwinding
                storage.pointee.deferred = frame.pointee.deferred
                storage.pointee.schedulers.removeLast()
            }
            return try work()
        }
    }
}

extension ThreadState {
    /// Keeps `backend`, which has got its first job, for whoever serves this thread's list to go on with when that is
    /// empty; false if code of users may run before.
    ///
    /// To be called as the last step of a job: the outermost loop then does nothing else with it than to come to its end,
    /// or to have another thread woken up before its next job.
    func handOver(to backend: SerialBackend) -> Bool {
        guard storage.pointee.handsOver, storage.pointee.depth == storage.pointee.base + 1,
            storage.pointee.successor == nil
        else { return false }
        storage.pointee.successor = .passRetained(backend)
        return true
    }

    /// What was handed over.
    var successor: SerialBackend? { storage.pointee.successor?.takeUnretainedValue() }

    func takeSuccessor() -> SerialBackend? { storage.pointee.successor.take()?.takeRetainedValue() }
}

/// Lets another thread have the processor.
func yieldThread() {
    sched_yield()
}
