// VirtualTime: a scheduler for tests whose clock is moved by hand.

public import Futures

/// A scheduler for tests whose clock is moved by hand: hours pass in no time, and every run of a test is the same.
///
///     let time = VirtualTime()
///     let late = Future(1).delay(by: .seconds(60), on: time.scheduler)
///     time.advance(by: .seconds(59))      // late.result is nil
///     time.advance(by: .seconds(1))       // late.result is 1
///     try time.checkNothingPending()
///
/// Callbacks and timers run inside `advance(by:)`, `run()` and `runToEnd()`, on the calling thread: each at its own
/// time, those of the same time in the order in which they were scheduled. They may call these functions too, and
/// schedule more. Any thread may schedule at any time, but only one thread at a time may move the clock.
public final class VirtualTime: Sendable {
    private let timeline: Timeline

    /// The scheduler that uses this clock. Pass it to `on:`; code that takes no scheduler can run in its `perform`.
    public let scheduler: Scheduler

    /// Creates a clock that shows zero.
    public init() {
        timeline = Timeline()
        scheduler = Scheduler(backend: timeline)
    }

    /// The time that has passed on this clock. In a callback or timer, it is the time for which that was scheduled.
    public var now: Duration { timeline.elapsed }

    /// The number of pending callbacks and timers.
    public var pendingCount: Int { timeline.count }

    /// Moves the clock forward, and runs all callbacks and timers that become due, including those that these schedule.
    ///
    /// - Parameters:
    ///   - duration: How far to move the clock.
    ///   - file: The file named by the trap.
    ///   - line: The line named by the trap.
    /// - Precondition: `duration` is not negative.
    public func advance(by duration: Duration, file: StaticString = #fileID, line: UInt = #line) {
        guard duration >= .zero else {
            fatalError(
                "advance(by: \(duration)) would turn back the clock. Create another VirtualTime instead.",
                file: file,
                line: line)
        }
        let end = now.delayed(by: duration)
        while let jobs = timeline.takeNext(until: end) { scheduler.run(jobs) }
        timeline.reach(end)
    }

    /// Runs all callbacks and timers that are due now, including those that these schedule for now.
    public func run() {
        advance(by: .zero)
    }

    /// Moves the clock from timer to timer, and runs all callbacks and timers, until none is pending.
    ///
    /// - Parameter limit: The maximum number of callbacks and timers to run.
    /// - Throws: ``StillPending`` if some are pending after that, most likely because of an endless repetition.
    public func runToEnd(limit: Int = 1_000_000) throws {
        var count = 0
        while count < limit, let jobs = timeline.takeNext() {
            scheduler.run(jobs)
            count += 1
        }
        try checkNothingPending()
    }

    /// Throws an error if a callback or timer is pending. Call it at the end of a test: futures that have completed, or
    /// were cancelled, must leave nothing behind.
    ///
    /// Pending callbacks and timers, and all that they retain, stay in memory after the test.
    ///
    /// - Throws: ``StillPending``, which lists the pending callbacks and timers.
    /// - Complexity: O(*n* log *n*), where *n* is the number of pending callbacks and timers.
    public func checkNothingPending() throws {
        let items = timeline.items
        guard items.isEmpty else { throw StillPending(items, now: now) }
    }
}

extension VirtualTime: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        Summary("VirtualTime", ["now": now, "pending": pendingCount])
    }

    /// The type's name, and the values that the mirror shows.
    public var description: String { summary.description }

    /// A mirror with the time and the number of pending callbacks and timers.
    public var customMirror: Mirror { summary.mirror(of: self) }
}
