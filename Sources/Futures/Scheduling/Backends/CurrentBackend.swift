// The backend of a scheduler, as its own code and that of nodes use it.

extension Scheduler {
    /// Calls `body` with the mechanism behind this scheduler. In a simulation on the calling thread, that is what the
    /// simulation has in its place; for jobs of virtual time, one that notices what leaves that.
    // The real one is used where it is stored: to return it would copy and retain it.
    @inline(__always)
    func withBackend<T>(_ body: (any SchedulerBackend) -> T) -> T {
        if Worlds.areThere, let simulated = simulatedHere { return body(simulated) }
        return body(realBackend)
    }

    package var backend: any SchedulerBackend { withBackend { $0 } }

    // Asked only where there are simulations: the compiler makes and destroys an optional even if it is nil, which would
    // be some 80 instructions of each hop.
    @inline(never)
    var simulatedHere: (any SchedulerBackend)? {
        let thread = ThreadState.here
        if let world = thread.world { return world.backend(of: self, insteadOf: realBackend) }
        return thread.clock?.watching(self, insteadOf: realBackend)
    }

    /// Whether the calling thread runs here although no `Scheduler` arranged it.
    var isBackendCurrent: Bool { withBackend { $0.isCurrent } }

    /// Enqueues `job` behind those that were enqueued before.
    func enqueue(_ job: Job) { withBackend { $0.enqueue(job, for: self) } }

    /// Enqueues `job` as the last step of a job in a serving loop.
    func enqueueLast(_ job: Job) { withBackend { $0.enqueueLast(job, for: self) } }

    /// Calls `work` in a job once `delay` has passed, unless what this returns is disposed before.
    func enqueue(_ work: @escaping @Sendable () -> Void, after delay: Duration) -> any Disposable {
        withBackend { $0.enqueue(work, after: delay, for: self) }
    }
}
