// Durations that are too long to be added to others: they mean never.

// `Duration` itself reaches 2^127 attoseconds, but sums past that trap, and so do `components` and `description` past
// 2^63 seconds. With each summand between zero and `longest`, no sum of two can overflow.

extension Duration {
    /// The longest duration that the library counts, 292 billion years: what takes longer takes as long.
    package static var longest: Duration { .seconds(Int64.max) }

    /// This duration as a delay: zero, if it is negative, and at most `longest`.
    package var asDelay: Duration { min(max(self, .zero), .longest) }

    /// The sum of two delays, at most `longest`.
    package func delayed(by other: Duration) -> Duration { (asDelay + other.asDelay).asDelay }

    /// This delay `count` times, at most `longest`.
    func times(_ count: Int) -> Duration {
        // A margin for the rounding of floating-point numbers.
        asDelay / .seconds(1) * Double(count) < Double(Int64.max / 2) ? asDelay * count : .longest
    }

    /// The nanoseconds of a duration of less than 292 years.
    var nanosecondsRoundedUp: Int {
        let (seconds, attoseconds) = components
        return Int(seconds * 1_000_000_000 + (attoseconds + 999_999_999) / 1_000_000_000)
    }
}

extension ContinuousClock.Instant {
    /// The instant after `delay`: this one, if that is negative.
    package func after(_ delay: Duration) -> ContinuousClock.Instant { self + delay.asDelay }
}

extension Scheduler {
    /// The time until `deadline`; zero, if that is past.
    @usableFromInline
    func time(until deadline: ContinuousClock.Instant) -> Duration {
        let now = now
        return deadline > now ? now.duration(to: deadline) : .zero
    }
}
