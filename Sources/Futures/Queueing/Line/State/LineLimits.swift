// LineLimits: how much a queue does at a time, keeps, and begins in a time.

/// How much a queue does at a time, keeps, and begins in a time.
@usableFromInline
struct LineLimits: Sendable {
    let maxConcurrentCount: Int
    let maxWaitingCount: Int
    let rate: Rate?

    /// - Precondition: `maxConcurrentCount` is at least 1, and `maxWaitingCount` not negative.
    @usableFromInline
    init(
        _ maxConcurrentCount: Int, _ maxWaitingCount: Int = .max, _ rate: Rate? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        guard maxConcurrentCount >= 1 else {
            fatalError("maxConcurrentCount must be at least 1, or nothing could ever begin.", file: file, line: line)
        }
        guard maxWaitingCount >= 0 else {
            fatalError(
                "maxWaitingCount must not be negative. Use 0 to refuse what cannot begin at once.", file: file,
                line: line)
        }
        self.maxConcurrentCount = maxConcurrentCount
        self.maxWaitingCount = maxWaitingCount
        self.rate = rate
    }
}

/// How often something may begin.
///
///     let client = FutureQueue(maxConcurrentCount: 4, rate: Rate(10, per: .seconds(1)))
///
/// Evenly: ten a second means one each tenth of a second, and `burst` of them at once after a pause.
public struct Rate: Sendable {
    let interval: Duration
    let burst: Int
    let scheduler: Scheduler

    /// Makes a rate of `count` in each `interval`.
    ///
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

/// A token bucket: each beginning takes a token, and a timer brings the next one while tokens are missing.
struct Bucket {
    private let capacity: Int
    private(set) var tokens: Int
    private var isFilling = false

    init(capacity: Int) {
        self.capacity = capacity
        tokens = capacity
    }

    mutating func takeToken() { tokens -= 1 }

    mutating func addToken() {
        tokens += 1
        isFilling = false
    }

    /// Whether a timer has to be started now.
    mutating func startsFilling() -> Bool {
        guard tokens < capacity, !isFilling else { return false }
        isFilling = true
        return true
    }
}
