// Backoff: how long to wait before the next run.

/// How long to wait before the next run, and the one after that.
///
///     Backoff.exponential(from: .milliseconds(100), upTo: .seconds(10)).jittered()
///
/// Where many retry what has failed for all of them at once, they should not come back all at once, so let the delays be
/// random: `jittered` is the *full jitter* and `decorrelated` the *decorrelated jitter* of "Exponential Backoff And
/// Jitter" by Marc Brooker, AWS Architecture Blog, 2015.
public struct Backoff: Sendable {
    private enum Growth: Sendable {
        case by(Duration)
        case times(Double)
        case decorrelated(RandomSource)
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

    /// Always the same delay, which may be zero.
    ///
    /// - Precondition: `delay` is not negative.
    public static func constant(
        _ delay: Duration, file: StaticString = #fileID, line: UInt = #line
    ) -> Backoff {
        Backoff(delay, .by(.zero), upTo: nil, file, line)
    }

    /// Delays that are `increment` longer each time, up to `cap` if there is one: 1, 3, 5, 7 …
    ///
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

    /// Delays that are `factor` times as long each time, up to `cap`: 1, 2, 4, 8 …
    ///
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

    /// Random delays between `first` and three times the delay before, up to `cap`.
    ///
    /// They grow as exponential ones do, but by chance; after a short one come short ones again.
    ///
    /// - Precondition: No duration is negative.
    public static func decorrelated(
        from first: Duration, upTo cap: Duration,
        using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        file: StaticString = #fileID, line: UInt = #line
    ) -> Backoff {
        Backoff(first, .decorrelated(RandomSource(generator)), upTo: cap, file, line)
    }

    /// Random delays between zero and these ones.
    ///
    /// A generator of your own makes a test always alike. It is a value, which all copies of this backoff share, and may
    /// be used from any thread.
    public func jittered(
        using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) -> Backoff {
        var backoff = self
        backoff.jitter = RandomSource(generator)
        return backoff
    }
}

extension Backoff {
    /// The delay before the repetition that comes after so many others, the last one of them after `previous`.
    func delay(after repetitions: Int, _ previous: Duration?) -> Duration {
        let delay = min(nominal(after: repetitions, previous), cap ?? .longest)
        return jitter.map { $0.duration(in: .zero, delay) } ?? delay
    }

    private func nominal(after repetitions: Int, _ previous: Duration?) -> Duration {
        switch growth {
        case .by(let increment): return first.delayed(by: increment.times(repetitions))
        case .decorrelated(let random):
            // (Three times the longest of all delays is more than there are.)
            return random.duration(in: first, max(first, min(previous ?? first, .seconds(Int64.max / 4)) * 3))
        case .times(let factor):
            let power = factor.raised(to: repetitions)
            let seconds = first == .zero ? 0 : first / .seconds(1) * power
            guard seconds < Double(Int64.max / 4) else { return cap ?? first }
            // Whole numbers are exact.
            return power == power.rounded() && power < 1 / .ulpOfOne ? first * Int64(power) : .seconds(seconds)
        }
    }
}

extension Double {
    /// By squaring: the standard library has no power.
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
