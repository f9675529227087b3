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
///
/// An operation that is cancelled after its turn has come, but before its closure is called, gives its start back.
public struct RateLimit: Sendable {
    /// The time for `countPerInterval` starts; in a window, that after which a start is allowed again.
    let interval: Duration
    let countPerInterval: Int
    /// How many operations may start together.
    let burst: Int
    let isWindow: Bool
    let scheduler: Scheduler

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
        Self.check(min(count, burst), interval, file, line)
        self.init(interval, count, burst: burst, isWindow: false, scheduler)
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
        check(count, interval, file, line)
        return RateLimit(interval, 1, burst: count, isWindow: true, scheduler)
    }

    private init(_ interval: Duration, _ count: Int, burst: Int, isWindow: Bool, _ scheduler: Scheduler) {
        self.interval = interval.asDelay
        countPerInterval = count
        self.burst = burst
        self.isWindow = isWindow
        self.scheduler = scheduler
    }

    /// The time for some of the starts of an interval. Rounded up, so that none is early.
    func time(for count: Int) -> Duration {
        let share = interval / countPerInterval
        let rest = interval - share * countPerInterval
        let almostOne = Duration(secondsComponent: 0, attosecondsComponent: Int64(countPerInterval - 1))
        return share * count + (rest * count + almostOne) / countPerInterval
    }

    private static func check(_ count: Int, _ interval: Duration, _ file: StaticString, _ line: UInt) {
        guard count >= 1, interval >= .zero else {
            fatalError(
                "A rate needs a count and a burst of at least 1, and an interval that is not negative.", file: file,
                line: line)
        }
    }
}

/// The starts that a rate limit allows. A pure state machine: each start takes a token, which returns later.
// An object: to read an optional struct copies it, which takes 300 instructions.
final class RateTokens {
    private let limit: RateLimit
    /// When the missing tokens return, in order.
    private var returns: ArraySlice<ContinuousClock.Instant> = []
    /// When the token that was taken last returns, or has returned.
    private var last: ContinuousClock.Instant?
    /// Since when tokens return one after the other, and the number of these: a sum of shares would be rounded each time.
    private var row: (start: ContinuousClock.Instant, count: Int)?
    private var now: ContinuousClock.Instant?
    /// When the timer is due; nil if none is set.
    private var timer: ContinuousClock.Instant?
    /// By how much the last timer was late: operations that start now may have waited for that long.
    private var lateness = Duration.zero

    init(_ limit: RateLimit) { self.limit = limit }

    var hasToken: Bool { returns.count < limit.burst }

    var isFull: Bool { returns.isEmpty }

    /// Takes back the tokens that have returned. To be called before each other change.
    func advance(to now: ContinuousClock.Instant) {
        // Another clock: a simulation has begun or ended.
        if let old = self.now, now < old - .seconds(1) {
            (returns, last, row, self.now, timer, lateness) = ([], nil, nil, nil, nil, .zero)
        }
        // Several threads may have read the clock before the first of them came here.
        let now = max(now, self.now ?? now)
        self.now = now
        while let first = returns.first, first <= now { returns.removeFirst() }
    }

    func take() {
        guard let now else { return }
        let start = limit.isWindow ? now : max(last ?? now, now - lateness)
        var row = self.row ?? (start, 0)
        if start != last || row.count == limit.countPerInterval { row = (start, 0) }
        row.count += 1
        let last = min(row.start + limit.time(for: row.count), now + .longest)
        (self.last, self.row) = (last, row)
        if last > now { returns.append(last) }
    }

    /// Takes back the token of an operation that has not started. The later ones return when they would have: no start
    /// is early.
    func giveBack() {
        _ = returns.popFirst()
        if returns.isEmpty { last = nil }
    }

    /// The timer has fired.
    func tick() {
        guard let timer, let now else { return }
        lateness = min(timer.duration(to: now), .milliseconds(100))
        self.timer = nil
    }

    /// Returns the delay of a timer that has to be started; nil if none is needed, or one is set and not overdue.
    ///
    /// - Parameters:
    ///   - isAwaited: Whether an operation waits for the next token.
    ///   - isKept: Whether the timer is needed when all tokens have returned.
    func timerDelay(isAwaited: Bool, isKept: Bool = false) -> Duration? {
        if !isAwaited { lateness = .zero }
        guard let now, let due = returns.first, isAwaited && !hasToken || isKept, timer.map({ $0 <= now }) ?? true
        else { return nil }
        timer = due
        return now.duration(to: due)
    }
}
