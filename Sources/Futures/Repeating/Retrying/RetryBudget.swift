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
    let ratio: Double
    let reserve: Double
    let window: Duration
    /// What was added, less what was taken, in a tenth of the window each, and when that expires: first the oldest.
    var slices: [(tokens: Double, end: ContinuousClock.Instant)] = []

    var balance: Double { slices.reduce(reserve) { $0 + $1.tokens } }

    mutating func deposit(at now: ContinuousClock.Instant) {
        add(ratio, at: now)
    }

    mutating func withdraw(at now: ContinuousClock.Instant) -> Bool {
        // Removes what has expired.
        add(0, at: now)
        // A little less than one: in floating point, fifths of a token may add up to less.
        guard balance > 1 - 1e-6 else { return false }
        add(-1, at: now)
        return true
    }

    private mutating func add(_ tokens: Double, at now: ContinuousClock.Instant) {
        slices.removeAll { $0.end <= now }
        let end = now + window
        if let last = slices.last, end <= last.end + window / 10 {
            slices[slices.count - 1].tokens += tokens
        } else {
            slices.append((tokens, end))
        }
    }
}

extension RetryBudget: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary {
        Summary("RetryBudget", ["balance": state.withLock { $0.balance }])
    }
}
