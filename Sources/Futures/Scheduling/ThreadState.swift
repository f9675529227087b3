// ThreadState: what a thread is executing, and what it has still to serve.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#elseif canImport(Darwin)
    import Darwin
#endif

/// Lets another thread have the processor.
func yieldThread() {
    sched_yield()
}

/// What this thread is executing: its current scheduler, and the callbacks that wait to be served.
///
/// Callbacks are served depth-first without recursion (rule 10). `serve` runs jobs before it returns, by a loop of
/// its own; what such a job completes is prepended to that loop's list. A callback that attaches or completes
/// something starts a loop inside of the loop, and from `nestingLimit` loops on its jobs are deferred: they run right
/// after the callback in progress, ahead of all else that waits.
///
///     serve ─► list: a b c ─► run a ──► a's callback calls serve(x) ──► loop inside: x      (not yet that deep)
///                                   └─► a completes: its listeners  ──► deferred: l m
///                             prepend deferred: l m b c ─► run l ...
package final class ThreadState {
    /// How many serving loops a thread nests before callbacks wait for the one in progress.
    ///
    /// Each loop costs the stack of one callback and of our four frames: 16 of them stay within 64 KiB in a debug
    /// build, an eighth of the smallest stack that Dispatch makes.
    static let nestingLimit = 16

    /// The schedulers that this thread is executing, innermost last.
    private(set) var schedulers: [Scheduler] = []
    private var depth = 0
    private var deferred = JobList()
    private var isReleasing = false
    private var remains: [any Remains] = []

    /// The innermost scheduler that this thread is executing, if there is one.
    var scheduler: Scheduler? { schedulers.last }

    /// Runs the jobs and all that they complete, or defers them if loops are nested too deeply.
    package func serve(_ jobs: JobList) {
        guard depth < Self.nestingLimit else { return deferred.append(jobs) }
        let outer = deferred.take()
        depth += 1
        drain(jobs)
        depth -= 1
        deferred = outer
    }

    package func serve(_ job: Job) {
        serve(JobList(job))
    }

    /// Adds jobs that run right after the job in progress. Only for a job's last step, inside of a loop.
    package func serveNext(_ jobs: JobList) {
        deferred.append(jobs)
    }

    /// Runs `work` as a part of `scheduler`; what it defers runs before this returns, on that scheduler too.
    func execute<T>(on scheduler: Scheduler, _ work: () throws -> T) rethrows -> T {
        schedulers.append(scheduler)
        let outer = deferred.take()
        defer {
            drain(JobList())
            deferred = outer
            schedulers.removeLast()
        }
        return try work()
    }

    private func drain(_ jobs: JobList) {
        var jobs = jobs
        jobs.prepend(deferred.take())
        while let job = jobs.popFirst() {
            job.run()
            jobs.prepend(deferred.take())
        }
    }
}

/// What a deallocated job held, to be released one after the other.
package protocol Remains {}

extension ThreadState {
    /// Releases `remains`, and what that deallocates in turn, without recursion: a chain of a million steps holds
    /// each other only through this list.
    package func release(_ remains: consuming some Remains) {
        self.remains.append(remains)
        guard !isReleasing else { return }
        isReleasing = true
        while !self.remains.isEmpty {
            // Taken out first: releasing it may come back here.
            withExtendedLifetime(self.remains.removeLast()) {}
        }
        isReleasing = false
    }
}

extension ThreadState {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { pointer in
            #if canImport(Darwin)
                Unmanaged<ThreadState>.fromOpaque(pointer).release()
            #else
                if let pointer { Unmanaged<ThreadState>.fromOpaque(pointer).release() }
            #endif
        }
        return key
    }()

    /// This thread's state, made at its first use and freed with the thread.
    package static var here: ThreadState {
        if let pointer = pthread_getspecific(key) {
            return Unmanaged<ThreadState>.fromOpaque(pointer).takeUnretainedValue()
        }
        let state = ThreadState()
        pthread_setspecific(key, Unmanaged.passRetained(state).toOpaque())
        return state
    }
}
