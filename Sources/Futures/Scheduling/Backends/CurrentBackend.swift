// The backend of a scheduler, as its own code and that of nodes use it.

// A simulation on the calling thread has another one in its place, and jobs of virtual time use one that notices what
// leaves that. Each of these looks at the real one where that is stored: to return it would copy and retain it.
extension Scheduler {
    /// The mechanism behind this scheduler; in a simulation, what the simulation has in its place.
    package var backend: any SchedulerBackend {
        if Worlds.areThere, let simulated = simulatedHere { return simulated }
        return realBackend
    }

    // Asked only where there are simulations: the compiler makes and destroys an optional even if it is nil, which would
    // be some 80 instructions of each hop.
    @inline(never)
    var simulatedHere: (any SchedulerBackend)? {
        let thread = ThreadState.here
        if let world = thread.world { return world.backend(of: self, insteadOf: realBackend) }
        return thread.clock?.watching(self, insteadOf: realBackend)
    }

    /// Whether the calling thread runs here although no `Scheduler` arranged it.
    @inline(__always)
    var isBackendCurrent: Bool {
        if Worlds.areThere, let simulated = simulatedHere { return simulated.isCurrent }
        return realBackend.isCurrent
    }

    /// Enqueues `job` behind those that were enqueued before.
    @inline(__always)
    func enqueue(_ job: Job) {
        if Worlds.areThere, let simulated = simulatedHere { return simulated.enqueue(job, for: self) }
        realBackend.enqueue(job, for: self)
    }

    /// Enqueues `job` as the last step of a job in a serving loop.
    @inline(__always)
    func enqueueLast(_ job: Job) {
        if Worlds.areThere, let simulated = simulatedHere { return simulated.enqueueLast(job, for: self) }
        realBackend.enqueueLast(job, for: self)
    }

    /// Calls `work` in a job once `delay` has passed, unless what this returns is disposed before.
    @inline(__always)
    func enqueue(_ work: @escaping @Sendable () -> Void, after delay: Duration) -> any Disposable {
        if Worlds.areThere, let simulated = simulatedHere { return simulated.enqueue(work, after: delay, for: self) }
        return realBackend.enqueue(work, after: delay, for: self)
    }
}
