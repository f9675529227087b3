// The clock of a scheduler as a Clock of the standard library.

extension Scheduler: Clock {
    /// An instant on the scheduler's clock.
    public typealias Instant = ContinuousClock.Instant
    /// The time between two instants.
    public typealias Duration = Swift.Duration

    /// The smallest difference between two instants.
    public var minimumResolution: Swift.Duration { .nanoseconds(1) }

    /// Suspends the task until `deadline`, an instant on this scheduler's clock; see ``now``.
    ///
    /// If the task is cancelled, this throws a `CancellationError` immediately. The tolerance is not used.
    public func sleep(until deadline: ContinuousClock.Instant, tolerance: Swift.Duration? = nil) async throws {
        try await Future().delay(by: time(until: deadline), on: self).value
    }
}
