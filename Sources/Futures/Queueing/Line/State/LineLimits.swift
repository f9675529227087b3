// LineLimits: the concurrency limit, the capacity and the rate of a queue.

/// The concurrency limit, the capacity and the rate of a queue.
@usableFromInline
struct LineLimits: Sendable {
    let maxConcurrentCount: Int
    let maxWaitingCount: Int
    let overflow: QueueOverflow
    let rate: RateLimit?

    /// - Precondition: `maxConcurrentCount` is at least 1, and `maxWaitingCount` not negative.
    @usableFromInline
    init(
        _ maxConcurrentCount: Int, _ maxWaitingCount: Int = .max, _ rate: RateLimit? = nil,
        overflow: QueueOverflow = .reject, file: StaticString = #fileID, line: UInt = #line
    ) {
        Self.check(maxConcurrentCount, file: file, line: line)
        guard maxWaitingCount >= 0 else {
            fatalError(
                "maxWaitingCount must not be negative. Use 0 to refuse operations that cannot start immediately.",
                file: file,
                line: line)
        }
        self.maxConcurrentCount = maxConcurrentCount
        self.maxWaitingCount = maxWaitingCount
        self.overflow = overflow
        self.rate = rate
    }

    /// Traps unless a limit of operations that run concurrently is at least 1.
    static func check(_ maxConcurrentCount: Int, file: StaticString = #fileID, line: UInt = #line) {
        guard maxConcurrentCount >= 1 else {
            fatalError("maxConcurrentCount must be at least 1, or nothing could ever begin.", file: file, line: line)
        }
    }
}

/// How often a queue's operations start at most.
///
///     let client = FutureQueue(maxConcurrentCount: 4, rate: RateLimit(10, per: .seconds(1)))
///
/// Starts are spread evenly: a rate of ten per second is one start each tenth of a second. After a pause, up to `burst`
/// operations start immediately.
///
/// The rate is an upper limit. When a timer is late, the next start is late, too, so a busy queue stays a little below
/// its rate: by about 1 % at 100 starts per second, and by more at higher rates.
///
/// An operation that is cancelled after its turn has come, but before its closure is called, gives its start back. The
/// interval until the next start that the rate allows then begins again.
public struct RateLimit: Sendable {
    let interval: Duration
    let burst: Int
    let scheduler: Scheduler

    /// Creates a rate of `count` starts in each `interval`.
    ///
    /// - Parameters:
    ///   - count: The number of starts.
    ///   - interval: The time for that number of starts.
    ///   - burst: How many operations may start together after a pause.
    ///   - scheduler: The scheduler whose clock measures the time. Code that blocks it does not delay the starts, unless
    ///     the clock is a virtual one.
    ///   - file: The file named by the trap if a precondition fails.
    ///   - line: The line named by the trap if a precondition fails.
    /// - Precondition: `count` and `burst` are at least 1, and `interval` is not negative.
    public init(
        _ count: Int, per interval: Duration, burst: Int = 1, on scheduler: Scheduler = .background,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        guard count >= 1, burst >= 1, interval >= .zero else {
            fatalError(
                "A rate needs a count and a burst of at least 1, and an interval that is not negative.", file: file,
                line: line)
        }
        self.interval = interval / count
        self.burst = burst
        self.scheduler = scheduler
    }
}

/// A token bucket: each start takes a token, and while tokens are missing, a timer adds them one at a time.
struct Bucket {
    private let capacity: Int
    private(set) var tokens: Int
    private var isFilling = false

    init(capacity: Int) {
        self.capacity = capacity
        tokens = capacity
    }

    mutating func takeToken() { tokens -= 1 }

    /// The timer has fired.
    mutating func addToken() {
        // It may be full, if tokens were given back.
        if tokens < capacity { tokens += 1 }
        isFilling = false
    }

    /// Takes back the token of an operation that has not started. The timer has to be started again: if a token that
    /// was never used was the first one to be missing, the next one is due later than the timer fires.
    mutating func giveBack() { addToken() }

    /// Whether a timer has to be started now.
    mutating func startsFilling() -> Bool {
        guard tokens < capacity, !isFilling else { return false }
        isFilling = true
        return true
    }
}
