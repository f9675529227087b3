// RetryBudget: limits the retries of many futures together, to prevent retry storms.

/// Limits the repetitions of all futures that share it: to a fraction of their first runs, and a few more.
///
///     let budget = RetryBudget()          // for all requests to one service
///     page(at: url).retry(RetryPolicy(.exponential(from: .seconds(1), upTo: .seconds(60)), budget: budget))
///
/// When a service is down, the retries of its clients keep it down: with three retries each, it gets four times the
/// requests. With a budget it gets about a fifth more. The budget is a token bucket: a first run that has completed
/// adds a fraction of a token, a repetition takes a whole one, and without a token the error is passed on.
public final class RetryBudget: Sendable {
    private let ratio: Double
    private let reserve: Double
    private let tokens: Locked<Double>

    /// Creates a budget, which is full.
    ///
    /// - Parameters:
    ///   - ratio: The number of repetitions that each first run allows.
    ///   - reserve: The number of repetitions that a full budget allows.
    ///   - file: The file named by the trap.
    ///   - line: The line named by the trap.
    /// - Precondition: The numbers are finite and not negative.
    public init(ratio: Double = 0.2, reserve: Double = 100, file: StaticString = #fileID, line: UInt = #line) {
        guard ratio >= 0, ratio.isFinite, reserve >= 0, reserve.isFinite else {
            fatalError("A retry budget's numbers must not be negative.", file: file, line: line)
        }
        (self.ratio, self.reserve, tokens) = (ratio, reserve, Locked(reserve))
    }

    /// Adds the tokens of a first run.
    func deposit() { tokens.withLock { $0 = min(reserve, $0 + ratio) } }

    /// Takes the token of a repetition; returns false if there is none.
    func withdraw() -> Bool {
        tokens.withLock { tokens in
            // A little less: in floating point, fifths of a token may add up to less than one.
            guard tokens > 1 - 1e-6 else { return false }
            tokens -= 1
            return true
        }
    }
}

extension RetryBudget: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary { ("RetryBudget", ["tokens": tokens.withLock { $0 }]) }
}
