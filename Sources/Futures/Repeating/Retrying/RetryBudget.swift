// RetryBudget: limits the retries of many futures together, to prevent retry storms.

/// Limits the repetitions of all futures that share it: to a fraction of their first runs, and a few more.
///
///     let budget = RetryBudget()          // for all requests to one service
///     page(at: url).retry(RetryPolicy(.exponential(from: .seconds(1), upTo: .seconds(60)), budget: budget))
///
/// When a service is down, the retries of its clients keep it down: with three retries each, it gets four times the
/// requests. With a budget it gets about a fifth more. The budget is a token bucket: a first run that has completed
/// adds a fraction of a token, a repetition takes a whole one, and without a token the error is passed on. Tokens
/// expire after the window. The design and the default numbers are those of `RetryBudget` in Finagle, Twitter's RPC
/// library.
public final class RetryBudget: Sendable {
    private let state: Locked<RetryTokens>

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - ratio: The number of repetitions that each first run allows.
    ///   - minimumPerSecond: The number of repetitions per second that are allowed in addition, so that futures that
    ///     rarely run can be retried.
    ///   - window: How long a first run or a repetition counts.
    ///   - file: The file named by the trap.
    ///   - line: The line named by the trap.
    /// - Precondition: The numbers are finite and not negative, and the window is longer than zero.
    public init(
        ratio: Double = 0.2, minimumPerSecond: Double = 10, window: Duration = .seconds(10),
        file: StaticString = #fileID, line: UInt = #line
    ) {
        guard ratio >= 0, ratio.isFinite, minimumPerSecond >= 0, minimumPerSecond.isFinite, window > .zero else {
            fatalError(
                "A retry budget's numbers must not be negative, and its window must be longer than zero.", file: file,
                line: line)
        }
        let window = min(window, .longest)
        let reserve = minimumPerSecond * (window / .seconds(1))
        state = Locked(RetryTokens(ratio: ratio, reserve: reserve, window: window))
    }

    /// Adds the tokens of a first run.
    func deposit(at now: ContinuousClock.Instant) {
        state.withLock { $0.deposit(at: now) }
    }

    /// Takes the token of a repetition; returns false if there is none.
    func withdraw(at now: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.withdraw(at: now) }
    }
}

/// The tokens of the last window. A pure state machine.
private struct RetryTokens {
    private let ratio: Double
    private let reserve: Double
    private let slice: Duration
    /// What was added, less what was taken, in each tenth of the window.
    private var slices = Array(repeating: 0.0, count: 10)
    private var current = 0
    /// The end of the current slice; nil before the first call.
    private var end: ContinuousClock.Instant?

    init(ratio: Double, reserve: Double, window: Duration) {
        self.ratio = ratio
        self.reserve = reserve
        slice = max(window / slices.count, .nanoseconds(1))
    }

    var balance: Double { reserve + slices.reduce(0, +) }

    mutating func deposit(at now: ContinuousClock.Instant) {
        advance(to: now)
        slices[current] += ratio
    }

    mutating func withdraw(at now: ContinuousClock.Instant) -> Bool {
        advance(to: now)
        // A little less than one: in floating point, fifths of a token may add up to less.
        guard balance > 1 - 1e-6 else { return false }
        slices[current] -= 1
        return true
    }

    private mutating func advance(to now: ContinuousClock.Instant) {
        guard var end else { return self.end = now + slice }
        if now >= end + slice * slices.count {
            // All slices have expired.
            slices = Array(repeating: 0, count: slices.count)
            end = now + slice
        }
        while now >= end {
            current = (current + 1) % slices.count
            slices[current] = 0
            end += slice
        }
        self.end = end
    }
}

extension RetryBudget: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary {
        Summary("RetryBudget", ["balance": state.withLock { $0.balance }])
    }
}
