// EscapeWatch: what notices that work leaves a scheduler whose clock a test controls.

/// Is told of the work that a scheduler's jobs pass to real threads and clocks.
package protocol EscapeWatch: Sendable {
    /// Notes that a task was started on the concurrent pool.
    func noteTask()

    /// What notes the work that is passed to `scheduler`, whose mechanism is `real`; nil if that is no escape.
    func backend(of scheduler: Scheduler, insteadOf real: any SchedulerBackend) -> (any SchedulerBackend)?
}

extension ThreadState {
    /// What watches the jobs of the innermost scheduler with a clock of its own that this thread executes.
    ///
    /// In a simulation there is nothing to watch, because all schedulers are simulated.
    var escapeWatch: (any EscapeWatch)? {
        guard world == nil else { return nil }
        for executing in storage.pointee.schedulers.reversed() {
            guard let backend = executing.scheduler?.takeUnretainedValue().realBackend, backend.hasOwnClock else {
                continue
            }
            return backend.escapeWatch
        }
        return nil
    }

    /// Notes that the calling code starts a task on the concurrent pool.
    static func noteTask() {
        if Worlds.areThere { here.escapeWatch?.noteTask() }
    }
}
