// The errors of a check that nothing is pending, and that nothing has left virtual time.

import Futures

extension VirtualTime {
    /// The error of ``VirtualTime/checkNothingPending()``: callbacks or timers are still pending.
    package struct StillPending: Error, CustomStringConvertible {
        /// The times at which the pending callbacks and timers are due, in ascending order.
        package let dueTimes: [Duration]

        /// A message that lists up to ten of them, with the times at which they are due.
        package let description: String

        init(_ items: [Agenda.Item], now: Duration) {
            dueTimes = items.map(\.time)
            let shown = items.prefix(10).map { item in
                item.isTimer ? "a timer, due at \(item.time)" : "a callback, due since \(item.time)"
            }
            let rest = items.count > shown.count ? ", and \(items.count - shown.count) more" : ""
            description =
                "At \(now), these are still pending: \(shown.joined(separator: "; "))\(rest). Advance the clock if they should "
                + "run; otherwise cancel the futures that they belong to."
        }
    }
}

extension VirtualTime {
    /// Work that has left virtual time.
    package struct Escape: Sendable, CustomStringConvertible {
        /// The virtual time at which it left.
        package let time: Duration

        /// The kind of work, and as much as is known of it: a callback, a timer, a task or a reading of the clock.
        package let work: String

        /// The scheduler that the work was passed to. Nil for a task on the concurrent pool.
        package let scheduler: Scheduler?

        /// The work, the scheduler and the time.
        package var description: String {
            "\(work) on \(scheduler.map { "\($0)" } ?? "the concurrent pool"), at \(time)"
        }
    }

    /// The error of ``VirtualTime/checkNothingPending()`` if work has left virtual time: if jobs of the scheduler, or
    /// code in its `sync` or `perform`, have passed work to other threads or clocks. Never if the clock is not strict.
    ///
    /// Such work are callbacks and timers of real schedulers, tasks on the concurrent pool, and readings of a real
    /// scheduler's clock (`Scheduler.now`): the test does not control when they run, and cannot tell whether
    /// they have. Usually an `on:` is missing, and `.background` is the default.
    ///
    /// Callbacks on `.immediate`, on the scheduler of another `VirtualTime`, and those of an actor, such as the main
    /// actor, do not leave: they have to run there. But timers on `.main`, `.immediate` or an actor's scheduler do. In a
    /// ``Simulation`` nothing leaves, as all schedulers are simulated.
    public struct Escaped: Error, CustomStringConvertible {
        /// The first 100 escapes.
        package let escapes: [Escape]

        /// A message that lists up to ten of them, and says what to do.
        public let description: String

        init(_ list: EscapeList) {
            escapes = list.first
            let shown = escapes.prefix(10).map(\.description)
            let rest = list.count > shown.count ? ", and \(list.count - shown.count) more" : ""
            description =
                "Work has left virtual time, so this test does not control it: \(shown.joined(separator: "; "))\(rest). Pass "
                + "`on:` the scheduler of virtual time to the operator, cache, pool, rate or breaker, and enqueue on "
                + "`queue.on(scheduler)`. Operators and queues can also be used in the scheduler's `perform`. For a task, write "
                + "`Future(on: scheduler) { try await … }`, and `enqueue` or `future(for:)` instead of `run`. If this is "
                + "intended, create VirtualTime(isStrict: false)."
        }
    }
}

extension VirtualTime {
    /// The error of ``VirtualTime/checkNothingPending()`` if an injected fault was never used.
    package struct FaultsUnused: Error, CustomStringConvertible {
        /// The names of their points, in the order in which the faults were injected.
        package let points: [String]

        /// A message with the faults and the names of their points.
        package let description: String

        init(_ entries: [FaultList.Entry]) {
            points = entries.map(\.point)
            let shown = entries.map { "\($0.fault) at \"\($0.point)\"" }.joined(separator: ", ")
            description =
                "These faults were never injected, because no future of virtual time has succeeded at their points: \(shown). "
                + "Compare the names with those that the code passes to faultPoint(_:)."
        }
    }
}

/// The first escapes, and how many there are.
struct EscapeList {
    private(set) var first: [VirtualTime.Escape] = []
    private(set) var count = 0

    mutating func add(_ escape: VirtualTime.Escape) {
        count += 1
        if count <= 100 { first.append(escape) }
    }
}
