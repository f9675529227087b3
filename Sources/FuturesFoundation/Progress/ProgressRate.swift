// ProgressRate: how much is done per second, recently.

/// An average of what is done per second, in which older times weigh less.
struct ProgressRate {
    private var last: (completed: Int64, time: ContinuousClock.Instant)?
    private var rate: Double?

    /// The time after which the weight of a measurement is down to a third.
    private static let memory = Duration.seconds(5)

    /// Returns the rate, after a new measurement; nil before the second one.
    mutating func update(_ completed: Int64, at now: ContinuousClock.Instant) -> Double? {
        guard let last else {
            self.last = (completed, now)
            return nil
        }
        let elapsed = last.time.duration(to: now)
        guard elapsed >= .milliseconds(10) else { return rate }
        let current = max(Double(completed) - Double(last.completed), 0) / (elapsed / .seconds(1))
        // 1 − e^(−x), without a mathematics library: exact enough for a weight.
        let x = elapsed / Self.memory
        let weight = x / (1 + x)
        rate = rate.map { $0 + (current - $0) * weight } ?? current
        self.last = (completed, now)
        return rate
    }
}
