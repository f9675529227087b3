// now: the time on a scheduler's clock.

extension Scheduler {
    /// The current time on the clock that measures this scheduler's delays and deadlines.
    ///
    /// It is `ContinuousClock.now`, or the virtual time of a scheduler of virtual time. Compute deadlines from it, so
    /// that they also work in tests that control the time. If the machine sleeps, a delay may take longer by the time
    /// of sleep.
    public var now: ContinuousClock.Instant {
        if Worlds.areThere, let simulated = simulatedHere { return simulated.now }
        return realBackend.now
    }
}
