// RetryBudget: how many retries all may make together, so that they do not become a storm.

/// How many retries many futures may make together: a share of what they run at first, and a few more.
///
///     let budget = RetryBudget()          // for all requests to one service
///     page.retry(RetryPolicy(.exponential(from: .seconds(1), upTo: .seconds(60)), budget: budget))
///
/// If a service is down, everybody retries, and keeps it down: with three retries it has four times the requests. With a
/// budget it has a fifth more. It is a bucket of tokens: each first run puts in a part of one, each repetition takes out
/// a whole one, and when there is none the error is passed on. What was put in and taken out is forgotten after a
/// while. (As `RetryBudget` in Finagle, Twitter's RPC library, whose numbers are the defaults.)
public final class RetryBudget: Sendable {
    private let state: Locked<RetryTokens>

    /// Makes a budget of `ratio` repetitions for each first run, and of `minimumPerSecond` more, which lets those who run
    /// rarely retry too; both by what there was in the last `window`.
    ///
    /// - Precondition: No number is negative, and the window is longer than zero.
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

    /// A first run.
    func deposit(at now: ContinuousClock.Instant) {
        state.withLock { $0.deposit(at: now) }
    }

    /// Whether a repetition may be made, which counts as made then.
    func withdraw(at now: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.withdraw(at: now) }
    }
}

/// A pure state machine: the tokens of the last while.
private struct RetryTokens {
    private let ratio: Double
    private let reserve: Double
    private let slice: Duration
    /// What was put in, less what was taken out, in each tenth of the window.
    private var slices = Array(repeating: 0.0, count: 10)
    private var current = 0
    /// The end of the current slice.
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
        // A little less than one: five fifths are a token.
        guard balance > 1 - 1e-6 else { return false }
        slices[current] -= 1
        return true
    }

    private mutating func advance(to now: ContinuousClock.Instant) {
        guard var end else { return self.end = now + slice }
        if now >= end + slice * slices.count {
            // All is long ago.
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

extension RetryBudget: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        Summary("RetryBudget", ["balance": state.withLock { $0.balance }])
    }

    /// The name and the values of the mirror.
    public var description: String { summary.description }

    /// How many repetitions the budget allowed when it was last used.
    public var customMirror: Mirror { summary.mirror(of: self) }
}
