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
    private let ratio: Double
    private let reserve: Double
    private let window: Duration
    /// What was added, less what was taken, in a tenth of the window each, and when that expires: first the oldest.
    private let slices = Locked<[(tokens: Double, end: ContinuousClock.Instant)]>([])

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
        self.ratio = ratio
        self.window = min(window, .longest)
        reserve = minimumPerSecond * (self.window / .seconds(1))
    }

    /// Adds the tokens of a first run.
    func deposit(at now: ContinuousClock.Instant) {
        _ = add(ratio, at: now)
    }

    /// Takes the token of a repetition; returns false if there is none.
    func withdraw(at now: ContinuousClock.Instant) -> Bool {
        add(-1, at: now)
    }

    private var balance: Double { slices.withLock { slices in slices.reduce(reserve) { $0 + $1.tokens } } }

    /// Removes what has expired, and adds `tokens`. Returns false if that would take tokens that are not there.
    private func add(_ tokens: Double, at now: ContinuousClock.Instant) -> Bool {
        slices.withLock { slices in
            slices.removeAll { $0.end <= now }
            // A little less: in floating point, fifths of a token may add up to less than one.
            let balance = slices.reduce(reserve) { $0 + $1.tokens }
            guard tokens >= 0 || balance + tokens > -1e-6 else { return false }
            let end = now + window
            if let last = slices.last, end <= last.end + window / 10 {
                slices[slices.count - 1].tokens += tokens
            } else {
                slices.append((tokens, end))
            }
            return true
        }
    }
}

extension RetryBudget: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary { ("RetryBudget", ["balance": balance]) }
}
