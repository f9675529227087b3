// VirtualTime: a scheduler whose clock only the test moves.

public import Futures

/// A scheduler whose clock only the test moves, so that what takes hours is tested in no time, and always alike.
///
///     let time = VirtualTime()
///     let late = Future(1).delay(by: .seconds(60), on: time.scheduler)
///     time.advance(by: .seconds(59))      // late.result is nil
///     time.advance(by: .seconds(1))       // late.result is 1
///     try time.checkNothingPending()
///
/// What is scheduled runs inside of `advance(by:)`, `run()` and `runToEnd()`, on the thread that calls them: each job at
/// its own time, those of the same time in the order in which they were scheduled. A job may call them too, and may
/// schedule more. Other threads may schedule at any moment, but only one at a time may move the clock.
public final class VirtualTime: Sendable {
    private let timeline: Timeline

    /// The scheduler that goes by this clock: hand it to `on:`, or run code that takes no scheduler in its `perform`.
    public let scheduler: Scheduler

    /// Makes a clock that stands at zero.
    public init() {
        timeline = Timeline()
        scheduler = Scheduler(backend: timeline)
    }

    /// How far the clock was moved. Inside of a job it is the time for which that was scheduled.
    public var now: Duration { timeline.elapsed }

    /// How many callbacks and timers wait.
    public var pendingCount: Int { timeline.count }

    /// Moves the clock on, and runs all that becomes due.
    ///
    /// - Precondition: `duration` is not negative.
    public func advance(by duration: Duration, file: StaticString = #fileID, line: UInt = #line) {
        guard duration >= .zero else {
            fatalError(
                "advance(by: \(duration)) would turn back the clock. Make a VirtualTime of its own instead.",
                file: file,
                line: line)
        }
        let end = now.delayed(by: duration)
        while let jobs = timeline.takeNext(until: end) { scheduler.run(jobs) }
        timeline.reach(end)
    }

    /// Runs what is due now, and what that schedules for now.
    public func run() {
        advance(by: .zero)
    }

    /// Moves the clock from each timer to the next, until nothing waits any more.
    ///
    /// - Throws: ``StillPending`` if something still waits once `limit` callbacks and timers were run: an endless
    ///   repetition, most likely.
    public func runToEnd(limit: Int = 1_000_000) throws {
        var count = 0
        while count < limit, let jobs = timeline.takeNext() {
            scheduler.run(jobs)
            count += 1
        }
        try checkNothingPending()
    }

    /// Checks that no callback or timer waits: that what is over or was given up has left nothing behind.
    ///
    /// What waits lives on when the test ends, as nobody else can move its clock.
    ///
    /// - Throws: ``StillPending``, which says what waits and for when.
    public func checkNothingPending() throws {
        let items = timeline.items
        guard items.isEmpty else { throw StillPending(items, now: now) }
    }
}

extension VirtualTime: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        Summary("VirtualTime", ["now": now, "pending": pendingCount])
    }

    /// The name and the values of the mirror.
    public var description: String { summary.description }

    /// How far the clock was moved, and how many callbacks and timers wait.
    public var customMirror: Mirror { summary.mirror(of: self) }
}
