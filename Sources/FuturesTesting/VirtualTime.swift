// VirtualTime: a scheduler for tests whose clock is moved by hand.

import Futures

/// A scheduler for tests whose clock is moved by hand: hours pass in no time, and every run of a test is the same.
///
///     let time = VirtualTime()
///     let late = time.scheduler.perform { Future(1).delay(by: .seconds(60)) }
///     time.advance(by: .seconds(59))      // late.result is nil
///     time.advance(by: .seconds(1))       // late.result is 1
///     try time.checkNothingPending()
///
/// Callbacks and timers run inside `advance(by:)`, `run()` and `runToEnd()`, on the calling thread: each at its own
/// time, those of the same time in the order in which they were scheduled. They may call these functions too, and
/// schedule more. Any thread may schedule at any time.
///
/// The scheduler is serial, so it can be an actor's executor: `sync` on another thread waits for the job in progress,
/// and the next job waits for `sync`. In a job, `sync` runs its closure in place.
///
/// - Precondition: Only one thread at a time calls `advance(by:)`, `run()` or `runToEnd()`. A call on a second thread
///   traps, unless it is in a `sync` of the scheduler.
public final class VirtualTime: Sendable {
    let clock: VirtualClock

    /// The scheduler that uses this clock. Pass it to `on:`; code that takes no scheduler can run in its `perform`.
    public let scheduler: Scheduler

    /// Creates a clock that shows zero.
    ///
    /// - Parameter isStrict: Whether ``checkNothingPending()`` and `runToEnd()` throw if work has escaped to real
    ///   threads or clocks; see ``Escaped``.
    public init(isStrict: Bool = true) {
        clock = VirtualClock(isStrict: isStrict)
        scheduler = Scheduler(backend: clock)
    }

    /// The time that has passed on this clock. In a callback or timer, it is the time for which that was scheduled.
    public var now: Duration { clock.elapsed }

    /// The number of pending callbacks and timers.
    package var pendingCount: Int { clock.count }

    /// The work that has left virtual time; see ``Escaped``. Only the first 100.
    package var escapes: [Escape] { clock.escapes.first }

    /// Moves the clock forward, and runs all callbacks and timers that become due, including those that these schedule.
    ///
    /// - Parameters:
    ///   - duration: How far to move the clock.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    /// - Precondition: `duration` is not negative, and no other thread is moving the clock.
    public func advance(by duration: Duration, file: StaticString = #fileID, line: UInt = #line) {
        guard duration >= .zero else {
            fatalError(
                "advance(by: \(duration)) would turn back the clock. Create another VirtualTime instead.",
                file: file,
                line: line)
        }
        move(file, line) {
            let end = now.delayed(by: duration)
            repeat {
                while runNext(until: end) {}
                reach(end)
            } while runNext(until: end)
        }
    }

    /// Runs all callbacks and timers that are due now, including those that these schedule for now.
    public func run(file: StaticString = #fileID, line: UInt = #line) {
        advance(by: .zero, file: file, line: line)
    }

    /// Moves the clock from timer to timer, and runs all callbacks and timers, until none is pending.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of callbacks and timers to run.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    /// - Throws: ``Escaped`` if work has left virtual time; an error if some are pending after that, most likely because
    ///   of an endless repetition, or if an injected fault was never used.
    public func runToEnd(limit: Int = 1_000_000, file: StaticString = #fileID, line: UInt = #line) throws {
        run(until: { false }, within: nil, maxCount: limit, file, line)
        try checkNothingPending()
    }

    /// Throws an error if a callback or timer is pending, if work has left virtual time, or if an injected fault was
    /// never used. Call it at the end of a test: futures that have completed, or were cancelled, must leave nothing
    /// behind.
    ///
    /// Pending callbacks and timers, and all that they retain, stay in memory after the test.
    ///
    /// - Throws: ``Escaped``, which lists the work that has left virtual time; an error that lists the pending callbacks
    ///   and timers, or the faults whose points were never reached.
    /// - Complexity: O(*n* log *n*), where *n* is the number of pending callbacks and timers.
    public func checkNothingPending() throws {
        let escapes = clock.escapes
        guard escapes.count == 0 else { throw Escaped(escapes) }
        let items = clock.items
        guard items.isEmpty else { throw StillPending(items, now: now) }
        let unused = clock.faultList.unused
        guard unused.isEmpty else { throw FaultsUnused(unused) }
    }
}

extension VirtualTime {
    /// Moves the clock from timer to timer, until `isDone`, nothing is due within `limit`, or `maxCount` jobs have run.
    func run(
        until isDone: () -> Bool, within limit: Duration?, maxCount: Int = 1_000_000, _ file: StaticString,
        _ line: UInt
    ) {
        move(file, line) {
            let end = limit.map { now.delayed(by: $0) }
            var count = 0
            while !isDone(), count < maxCount {
                count += 1
                if runNext(until: end) { continue }
                if let end { reach(end) }
                clock.dog.look(always: true)
                if !runNext(until: end) { return }
            }
        }
    }

    /// Calls `body`, which moves the clock. Traps if another thread is moving it.
    private func move(_ file: StaticString, _ line: UInt, _ body: () -> Void) {
        // In a job or a `sync`, no other thread can run a job meanwhile.
        if scheduler.isHeld { return body() }
        guard clock.beginMoving() else {
            fatalError(
                "advance(by:), run() or runToEnd() was called while another thread is moving this clock. Call them on "
                    + "one thread at a time, or in the scheduler's sync.",
                file: file, line: line)
        }
        defer { clock.endMoving() }
        body()
    }

    /// Moves the clock, and looks for deadlocks at each second.
    private func reach(_ time: Duration) {
        let second = now.components.seconds
        inTurn { clock.reach(time) }
        if now.components.seconds > second { clock.dog.look(always: true) }
    }

    /// Moves the clock to the time of the next job that is due, at `end` or earlier if that is given, and runs the job.
    /// Returns false if there is none.
    private func runNext(until end: Duration?) -> Bool {
        inTurn {
            let second = now.components.seconds
            guard let jobs = clock.takeNext(until: end) else { return false }
            if now.components.seconds > second {
                scheduler.run(JobList(ClosureJob(.urgent) { [clock] in clock.dog.look(always: true) }))
            }
            scheduler.run(jobs)
            return true
        }
    }

    private func inTurn<T>(_ body: () -> T) -> T {
        scheduler.isHeld ? body() : clock.inTurn(body)
    }
}

extension VirtualTime: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary {
        ("VirtualTime", ["now": now, "pending": pendingCount])
    }
}
