// Durations that are too long to be added to others: they mean that a delay never ends.

// `Duration` itself holds up to 2^127 attoseconds, but larger sums trap, and so do `components` and `description`
// beyond 2^63 seconds. With each summand between zero and `longest`, no sum of two can overflow.

extension Duration {
    /// The longest duration that the library counts, 292 billion years. Longer ones are treated as this one.
    package static var longest: Duration { .seconds(Int64.max) }

    /// This duration as a delay, clamped between zero and `longest`.
    package var asDelay: Duration { min(max(self, .zero), .longest) }

    /// Returns the sum of two delays, at most `longest`.
    package func delayed(by other: Duration) -> Duration { (asDelay + other.asDelay).asDelay }
}

extension ContinuousClock.Instant {
    /// Returns the instant after `delay`, or this one if `delay` is negative.
    package func after(_ delay: Duration) -> ContinuousClock.Instant { self + delay.asDelay }
}

extension Scheduler {
    /// Returns the time until `deadline`, or zero if that has passed.
    @usableFromInline
    func time(until deadline: ContinuousClock.Instant) -> Duration {
        let now = now
        return deadline > now ? now.duration(to: deadline) : .zero
    }
}
