// Backoff: the delays between the runs of a retried future.

/// The delays between the runs of a retried future.
///
///     Backoff.exponential(from: .milliseconds(100), upTo: .seconds(10)).jittered()
///
/// Clients that have failed at the same time should not retry at the same time, so make the delays random. `jittered`
/// is the *full jitter* and `decorrelated` the *decorrelated jitter* of Marc Brooker, "Exponential Backoff And Jitter",
/// AWS Architecture Blog, 2015.
public struct Backoff: Sendable {
    private enum Growth: Sendable {
        case by(Duration)
        case times(Double)
        case decorrelated(RandomSource)
        case custom(@Sendable (Int) -> Duration)
    }

    private let first: Duration
    private let growth: Growth
    private let cap: Duration?
    private var jitter: RandomSource?

    private init(_ first: Duration, _ growth: Growth, upTo cap: Duration?, _ file: StaticString, _ line: UInt) {
        guard first >= .zero, cap ?? .zero >= .zero else {
            fatalError("A delay must not be negative. Use zero for none.", file: file, line: line)
        }
        self.first = first.asDelay
        self.growth = growth
        self.cap = cap?.asDelay
    }

    /// Returns a backoff whose delays are all the same.
    ///
    /// - Parameters:
    ///   - delay: The delay; zero for none.
    ///   - file: The file named by the trap.
    ///   - line: The line named by the trap.
    /// - Precondition: `delay` is not negative.
    public static func constant(
        _ delay: Duration, file: StaticString = #fileID, line: UInt = #line
    ) -> Backoff {
        Backoff(delay, .by(.zero), upTo: nil, file, line)
    }

    /// Returns a backoff whose delays grow by `increment`, up to `cap`, such as 1, 3, 5, 7.
    ///
    /// - Parameters:
    ///   - first: The delay before the first repetition.
    ///   - increment: The difference between a delay and the one before.
    ///   - cap: The longest delay; nil for no limit.
    ///   - file: The file named by the trap.
    ///   - line: The line named by the trap.
    /// - Precondition: No duration is negative.
    public static func linear(
        from first: Duration, by increment: Duration, upTo cap: Duration? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Backoff {
        guard increment >= .zero else {
            fatalError("Delays must not become shorter: the increment is negative.", file: file, line: line)
        }
        return Backoff(first, .by(increment), upTo: cap, file, line)
    }

    /// Returns a backoff whose delays grow by `factor`, up to `cap`, such as 1, 2, 4, 8.
    ///
    /// - Parameters:
    ///   - first: The delay before the first repetition.
    ///   - factor: The ratio of a delay to the one before.
    ///   - cap: The longest delay.
    ///   - file: The file named by the trap.
    ///   - line: The line named by the trap.
    /// - Precondition: No duration is negative, and `factor` is a finite number of at least 1.
    public static func exponential(
        from first: Duration, factor: Double = 2, upTo cap: Duration, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Backoff {
        guard factor >= 1, factor.isFinite else {
            fatalError(
                "Delays must not become shorter: the factor must be a finite number of at least 1.", file: file,
                line: line)
        }
        return Backoff(first, .times(factor), upTo: cap, file, line)
    }

    /// Returns a backoff whose delays a closure gives.
    ///
    ///     Backoff.custom { repetition in fibonacci(repetition) }
    ///
    /// - Parameter delay: Returns the delay before a repetition, for the number of repetitions before it: zero for the
    ///   first one. A negative delay counts as zero. It is called where the retrying is scheduled.
    public static func custom(_ delay: @escaping @Sendable (_ repetition: Int) -> Duration) -> Backoff {
        Backoff(.zero, .custom(delay), upTo: nil, #fileID, #line)
    }

    /// Returns a backoff with random delays between `first` and three times the delay before, up to `cap`.
    ///
    /// On average they grow exponentially, but a short delay is followed by short ones again: the *decorrelated jitter*
    /// of Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
    ///
    /// - Parameters:
    ///   - first: The shortest delay. The first delay is between it and three times as long.
    ///   - cap: The longest delay.
    ///   - generator: The source of random numbers, which copies of the backoff share; pass a seeded one for
    ///     reproducible tests. It is called without a lock: several threads may draw the same number from copies, one
    ///     of which is used.
    ///   - file: The file named by the trap.
    ///   - line: The line named by the trap.
    /// - Precondition: No duration is negative.
    public static func decorrelated(
        from first: Duration, upTo cap: Duration,
        using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        file: StaticString = #fileID, line: UInt = #line
    ) -> Backoff {
        Backoff(first, .decorrelated(RandomSource(generator)), upTo: cap, file, line)
    }

    /// Returns a backoff with random delays, uniformly distributed between zero and the delays of this one.
    ///
    /// This is the *full jitter* of Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
    ///
    /// - Parameter generator: The source of random numbers, which copies of the backoff share; pass a seeded one for
    ///   reproducible tests. It is called without a lock: several threads may draw the same number from copies, one of
    ///   which is used.
    public func jittered(
        using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) -> Backoff {
        var backoff = self
        backoff.jitter = RandomSource(generator)
        return backoff
    }
}

extension Backoff {
    /// Returns the delay before the next repetition, for code that repeats something itself.
    ///
    /// - Parameters:
    ///   - repetitions: The number of repetitions so far.
    ///   - previous: The delay before the last one of them, on which the decorrelated delays depend; nil for none.
    public func delay(after repetitions: Int, _ previous: Duration? = nil) -> Duration {
        let delay = min(nominal(after: repetitions, previous), cap ?? .longest)
        return jitter.map { $0.duration(in: .zero, delay) } ?? delay
    }

    private func nominal(after repetitions: Int, _ previous: Duration?) -> Duration {
        switch growth {
        case .custom(let delay): return delay(repetitions).asDelay
        case .by(let increment): return first.delayed(by: increment.times(repetitions))
        case .decorrelated(let random):
            // (Three times the longest delay would overflow.)
            return random.duration(in: first, max(first, min(previous ?? first, .seconds(Int64.max / 4)) * 3))
        case .times(let factor):
            let power = factor.raised(to: repetitions)
            let seconds = first == .zero ? 0 : first / .seconds(1) * power
            guard seconds < Double(Int64.max / 4) else { return cap ?? first }
            // Exact, as long as the power is a whole number.
            return power == power.rounded() && power < 1 / .ulpOfOne ? first * Int64(power) : .seconds(seconds)
        }
    }
}

extension Double {
    /// Returns this number to the power of `exponent`, by squaring: the standard library has no such function.
    fileprivate func raised(to exponent: Int) -> Double {
        var (result, base, rest) = (1.0, self, exponent)
        while rest > 0 {
            if rest & 1 == 1 { result *= base }
            base *= base
            rest >>= 1
        }
        return result
    }
}
