// PrintLimit: how many events are printed, as a pure state machine.

/// A token bucket: a burst of lines, and one more each `interval`.
struct PrintLimit {
    enum Step: Equatable {
        /// The event is printed; `leftOut` events before it were not.
        case line(leftOut: Int)
        /// The event is the first one that is left out: a notice is printed instead.
        case notice
        case nothing
    }

    static let burst = 20
    static let interval = Duration.seconds(1)
    static let notice = "there are many events. Until there are fewer, most are counted and not printed."

    private var tokens = burst
    /// When the last token was added; nil if none was used yet.
    private var refilled: ContinuousClock.Instant?
    private var leftOutCount = 0

    /// What to print for an event.
    mutating func next(at now: ContinuousClock.Instant) -> Step {
        refill(at: now)
        guard tokens > 0 else {
            leftOutCount += 1
            return leftOutCount == 1 ? .notice : .nothing
        }
        tokens -= 1
        defer { leftOutCount = 0 }
        return .line(leftOut: leftOutCount)
    }

    private mutating func refill(at now: ContinuousClock.Instant) {
        guard let last = refilled, tokens < Self.burst else { return refilled = now }
        let added = min(Self.burst - tokens, Int(last.duration(to: now) / Self.interval))
        guard added > 0 else { return }
        tokens += added
        refilled = tokens == Self.burst ? now : last + Self.interval * added
    }
}
