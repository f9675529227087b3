// RateLimit: how often a queue's operations start.

/// How often a queue's operations start at most.
///
///     let client = FutureQueue(maxConcurrentCount: 4, rate: RateLimit(10, per: .seconds(1)))
///     let strict = FutureQueue(maxConcurrentCount: 4, rate: .window(100, per: .seconds(60)))
///
/// Starts are spread evenly: a rate of ten per second is one start each tenth of a second. After a pause, up to `burst`
/// operations start immediately, and others at the rate: with a burst of ten, up to 19 in the first second. Use
/// ``window(_:per:on:file:line:)`` for a number that no second may exceed.
///
/// No operation starts early. When a timer is late, the next starts make up for it, up to a tenth of a second: so a busy
/// machine keeps pace, and two starts may be closer to each other than the rate says.
public struct RateLimit: Sendable {
    /// Each of them has to allow a start.
    private(set) var rules: [Rule]
    let scheduler: Scheduler

    struct Rule: Sendable {
        /// The time for `count` starts; in a window, that after which a start is allowed again.
        let interval: Duration
        let count: Int
        /// How many operations may start together.
        let burst: Int
        let isWindow: Bool
    }

    /// Creates a rate of `count` starts in each `interval`, spread evenly.
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
        self.init(interval, count, burst: burst, scheduler, file, line)
    }

    /// Returns a limit of `count` starts in any period of the length `interval`.
    ///
    /// Up to `count` operations start together, and each of these starts is allowed again when `interval` has passed.
    /// A start counts when its operation gets its turn.
    ///
    /// - Parameters:
    ///   - count: The number of starts.
    ///   - interval: The length of the period.
    ///   - scheduler: The scheduler whose clock measures the time. Code that blocks it does not delay the starts, unless
    ///     the clock is a virtual one.
    ///   - file: The file named by the trap if a precondition fails.
    ///   - line: The line named by the trap if a precondition fails.
    /// - Precondition: `count` is at least 1, and `interval` is not negative.
    /// - Complexity: The times of up to `count` starts are stored.
    public static func window(
        _ count: Int, per interval: Duration, on scheduler: Scheduler = .background, file: StaticString = #fileID,
        line: UInt = #line
    ) -> RateLimit {
        RateLimit(interval, 1, burst: count, isWindow: true, scheduler, file, line)
    }

    /// Returns a limit that allows a start when both this one and `other` do, by the clock of this one.
    ///
    ///     RateLimit(10, per: .seconds(1)).and(.window(100, per: .seconds(60)))
    public func and(_ other: RateLimit) -> RateLimit {
        var both = self
        both.rules += other.rules
        return both
    }

    private init(
        _ interval: Duration, _ count: Int, burst: Int, isWindow: Bool = false, _ scheduler: Scheduler,
        _ file: StaticString, _ line: UInt
    ) {
        guard min(count, burst) >= 1, interval >= .zero else {
            fatalError(
                "A rate needs a count and a burst of at least 1, and an interval that is not negative.", file: file,
                line: line)
        }
        // At most 34,000 years and ten million, so that no product overflows.
        let (longest, most) = (Duration.seconds(1 << 40), 10_000_000)
        let whole = min(interval, longest)
        let rule = Rule(
            interval: count > most ? whole / count * most : whole, count: min(count, most), burst: min(burst, most),
            isWindow: isWindow)
        (rules, self.scheduler) = ([rule], scheduler)
    }
}

/// The starts that a rate limit allows. A pure state machine, but for the timer that it owns.
// An object: to read an optional struct copies it, which takes 300 instructions. No instants, whose layout is known at
// run time only: times are those since `LineState.reference`.
final class RateTokens {
    let limit: RateLimit
    let timer = OwnedTimer()
    private var counters: [Counter]
    private var now: Duration
    /// When the timer is due; nil if none is set.
    private var due: Duration?
    /// The number of the timer that was set last.
    private(set) var timerNumber = 0
    /// Whether an operation waits for it.
    private var isAwaited = false

    /// - Parameter old: What has counted the starts until now.
    init(_ limit: RateLimit, at now: Duration, after old: RateTokens? = nil) {
        self.limit = limit
        self.now = now
        counters = limit.rules.map { rule in
            let alike = old?.counters.filter { $0.rule.isWindow == rule.isWindow } ?? []
            return Counter(rule, at: now, after: alike.max { $0.fullness < $1.fullness })
        }
    }

    var hasToken: Bool { delay(until: \.burst) == .zero }

    /// Whether all starts are forgotten.
    var isFull: Bool { delay { _ in 1 } == .zero }

    /// The time until fewer starts than `count` returns count for each rule.
    private func delay(until count: (RateLimit.Rule) -> Int) -> Duration {
        counters.reduce(.zero) { max($0, $1.delay(until: count($1.rule), at: now)) }
    }

    /// Lets the time pass. To be called before each other change.
    func advance(to now: Duration) {
        let elapsed = now - self.now
        if elapsed < .seconds(-1) {
            // Another clock: a simulation has begun or ended.
            (counters, due) = (limit.rules.map { Counter($0, at: now) }, nil)
        } else if elapsed <= .zero {
            // Several threads may have read the clock before the first of them came here.
            return
        }
        self.now = now
        for index in counters.indices { counters[index].advance(by: max(elapsed, .zero), to: now, isAwaited) }
    }

    func take() { for index in counters.indices { counters[index].take(at: now) } }

    /// The timer has fired.
    func tick() { due = nil }

    /// Returns the delay of a timer that has to be started; nil if none is needed, or one is set and not overdue.
    ///
    /// - Parameters:
    ///   - isAwaited: Whether an operation waits for the next token.
    ///   - isKept: Whether the timer is needed when all starts are forgotten.
    func timerDelay(isAwaited: Bool, isKept: Bool = false) -> Duration? {
        self.isAwaited = isAwaited
        let delay = isAwaited ? delay(until: \.burst) : isKept ? delay { _ in 1 } : .zero
        guard delay > .zero else { return nil }
        if let due, due > now, due <= now + delay { return nil }
        due = now + delay
        timerNumber += 1
        return delay
    }
}

/// The starts that a rule has counted.
private struct Counter {
    let rule: RateLimit.Rule
    /// How full a bucket is: each start adds `interval`, and `count` times the time that passes flows off. So no share
    /// of an interval is rounded. Below zero, it makes up for a late timer. Zero in a window.
    private var level = Duration.zero
    /// The starts in a window.
    private var starts: ArraySlice<Duration> = []

    /// - Parameter old: What has counted the starts until now, by a rule of the same kind.
    init(_ rule: RateLimit.Rule, at now: Duration, after old: Counter? = nil) {
        self.rule = rule
        guard let old else { return }
        starts = old.starts.drop { $0 + rule.interval <= now }
        if !rule.isWindow { level = rule.interval * min(old.fullness, Double(rule.burst)) }
    }

    /// The number of starts that count.
    var fullness: Double { level > .zero ? level / rule.interval : Double(starts.count) }

    /// `isAwaited`: whether an operation waits. What has passed since its timer was due counts, up to a tenth of a second.
    mutating func advance(by elapsed: Duration, to now: Duration, _ isAwaited: Bool) {
        let floor = isAwaited ? .milliseconds(-100) * rule.count : Duration.zero
        level = max(floor, level - min(elapsed, .seconds(1 << 32)) * rule.count)
        while let first = starts.first, first + rule.interval <= now { starts.removeFirst() }
    }

    mutating func take(at now: Duration) {
        if !rule.isWindow { level += rule.interval } else if rule.interval > .zero { starts.append(now) }
    }

    /// The time until fewer than `count` starts count, rounded up to a whole attosecond, so that no start is early.
    func delay(until count: Int, at now: Duration) -> Duration {
        if rule.isWindow { return starts.count < count ? .zero : starts[starts.endIndex - count] + rule.interval - now }
        let rounding = Duration(secondsComponent: 0, attosecondsComponent: 1) * (rule.count - 1)
        return max(.zero, level - rule.interval * (count - 1) + rounding) / rule.count
    }
}
