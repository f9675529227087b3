// now: the time on a scheduler's clock.

extension Scheduler {
    /// The time on this scheduler's clock: `ContinuousClock.now`, but on a scheduler of virtual time that time.
    ///
    /// Add to it to make a deadline, so that a test whose clock stands still can hold to it too. A time during which
    /// the machine sleeps may come on top of a delay.
    public var now: ContinuousClock.Instant { backend.now }
}
