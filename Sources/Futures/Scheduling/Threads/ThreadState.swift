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
/// something starts a loop inside of the loop, and from `nestingLimit` loops on its jobs are deferred: they run right
/// after the callback in progress, ahead of all else that waits.
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
    private struct Storage {
        var schedulers: [Unmanaged<Scheduler>] = []
        var depth = 0
        /// The depth outside of the outermost loop of the scheduler that is executing.
        var base = 0
        var deferrals = 0
        var isUnwinding = false
        var deferred = JobList()
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

    private let storage: UnsafeMutablePointer<Storage>

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

extension ThreadState {
    /// Runs the jobs and all that they complete, or defers them if loops are nested too deeply.
    package func serve(_ jobs: JobList) {
        guard storage.pointee.depth < Self.nestingLimit else {
            storage.pointee.deferrals += 1
            if storage.pointee.deferrals == Self.patience { storage.pointee.isUnwinding = true }
            return storage.pointee.deferred.append(jobs)
        }
        let outer = storage.pointee.deferred.take()
        // What callbacks release is not to wait until a deallocation further out, which has led to them, is over.
        let releases = DeferredReleases.here
        let isReleasing = releases.isReleasing
        releases.isReleasing = false
        storage.pointee.depth += 1
        let isOutermost = storage.pointee.depth == storage.pointee.base + 1
        if isOutermost { storage.pointee.deferrals = 0 }
        let rest = drain(jobs, isOutermost: isOutermost)
        storage.pointee.depth -= 1
        releases.isReleasing = isReleasing
        storage.pointee.deferred = outer
        storage.pointee.deferred.append(rest)
    }

    package func serve(_ job: Job) {
        serve(JobList(job))
    }

    /// Whether a job is in progress.
    package var isServing: Bool { storage.pointee.depth > 0 }

    /// Adds jobs that run right after the job in progress; at once, if there is none.
    package func serveNext(_ jobs: JobList) {
        if storage.pointee.depth == 0 { serve(jobs) } else { storage.pointee.deferred.append(jobs) }
    }

    /// Runs what was deferred until the callback in progress returns, which is about to wait for it.
    func catchUp() {
        let (base, isUnwinding) = (storage.pointee.base, storage.pointee.isUnwinding)
        storage.pointee.base = storage.pointee.depth
        storage.pointee.isUnwinding = false
        _ = drain(JobList(), isOutermost: true)
        storage.pointee.base = base
        storage.pointee.isUnwinding = isUnwinding
    }

    /// Runs the jobs; returns what is left of them if the loops unwind.
    private func drain(_ jobs: JobList, isOutermost: Bool) -> JobList {
        var jobs = jobs
        jobs.prepend(storage.pointee.deferred.take())
        while let job = jobs.popFirst() {
            // What runs now might wait for it.
            if storage.pointee.successor != nil { takeSuccessor()?.post() }
            job.run()
            // Released first: what goes with it may defer something, which would be lost behind the last job.
            _ = consume job
            jobs.prepend(storage.pointee.deferred.take())
            guard storage.pointee.isUnwinding else { continue }
            if !isOutermost { break }
            storage.pointee.isUnwinding = false
            storage.pointee.deferrals = 0
        }
        return jobs
    }
}

extension ThreadState {
    /// The innermost scheduler that this thread is executing, if there is one.
    var scheduler: Unmanaged<Scheduler>? { storage.pointee.schedulers.last }

    /// Whether this thread is executing `scheduler`, further out perhaps.
    func isExecuting(_ scheduler: Scheduler) -> Bool {
        storage.pointee.schedulers.contains { $0._withUnsafeGuaranteedRef { $0 == scheduler } }
    }

    /// Whether this thread is executing no scheduler.
    var isOutside: Bool { storage.pointee.schedulers.isEmpty }

    /// Runs `work` as a part of `scheduler`; what it defers runs before this returns, on that scheduler too.
    func execute<T>(
        on scheduler: Scheduler, handingOver: Bool = false, _ work: () throws -> T
    ) rethrows -> T {
        storage.pointee.schedulers.append(Unmanaged.passUnretained(scheduler))
        let outer = storage.pointee.deferred.take()
        let (base, isUnwinding) = (storage.pointee.base, storage.pointee.isUnwinding)
        let handsOver = storage.pointee.handsOver
        storage.pointee.base = storage.pointee.depth
        storage.pointee.deferrals = 0
        storage.pointee.isUnwinding = false
        storage.pointee.handsOver = handingOver
        defer {
            _ = drain(JobList(), isOutermost: true)
            storage.pointee.handsOver = handsOver
            storage.pointee.base = base
            storage.pointee.isUnwinding = isUnwinding
            storage.pointee.deferred = outer
            storage.pointee.schedulers.removeLast()
        }
        return try work()
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
