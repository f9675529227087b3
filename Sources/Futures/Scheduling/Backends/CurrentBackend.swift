// The backend of a scheduler, as its own code and that of nodes use it.

// A simulation on the calling thread has another one in its place, and jobs of virtual time use one that notices what
// leaves that.
extension Scheduler {
    /// Calls `body` with the mechanism behind this scheduler; in a simulation, with what the simulation has in its place.
    @inline(__always)
    func withBackend<T>(_ body: (any SchedulerBackend) -> T) -> T {
        if Worlds.areThere, let simulated = simulatedHere { return body(simulated) }
        return body(realBackend)
    }

    /// The mechanism behind this scheduler. To return it copies and retains it, so hops do not ask for it.
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
    @inline(__always)
    var isBackendCurrent: Bool { withBackend { $0.isCurrent } }

    /// Enqueues `job` behind those that were enqueued before.
    @inline(__always)
    func enqueue(_ job: Job) { withBackend { $0.enqueue(job, for: self) } }

    /// Enqueues `job` as the last step of a job in a serving loop.
    @inline(__always)
    func enqueueLast(_ job: Job) { withBackend { $0.enqueueLast(job, for: self) } }

    /// Calls `work` in a job once `delay` has passed, unless what this returns is disposed before.
    @inline(__always)
    func enqueue(_ work: @escaping @Sendable () -> Void, after delay: Duration) -> any Disposable {
        withBackend { $0.enqueue(work, after: delay, for: self) }
    }
}
