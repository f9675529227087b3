// Watchdog: looks for deadlocks once a second.

/// Looks once a second at the lines in which something waits, and fails an operation of each deadlock that it finds.
///
/// So an operation costs nothing more unless it waits, and then no more than once a second in its line. Real time has
/// one watchdog, and each clock of tests has its own, which calls ``look(always:)``.
package final class Watchdog: Sendable {
    private struct State {
        /// The states of the lines, with numbers: a line may be watched anew before its last look is over. The lines
        /// are not retained, so that the timers of a released one stop.
        var entries: [(number: Int, line: Locked<LineState>)] = []
        var lastNumber = 0
        var isTicking = false
    }

    /// The watchdog of all schedulers that have no clock of their own.
    package static let real = Watchdog(ticks: true)

    private let state = Locked(State())
    private let ticks: Bool

    /// Creates the watchdog of a test's clock, or of real time, which looks by itself.
    package init(ticks: Bool = false) { self.ticks = ticks }

    // The lines may be used outside of the test.
    deinit { for entry in state.withLock({ $0.entries }) { entry.line.endWatch() } }

    /// Looks at a line until nothing waits in it.
    func watch(_ line: Locked<LineState>) {
        let starts = state.withLock { state in
            state.lastNumber += 1
            state.entries.append((state.lastNumber, line))
            defer { state.isTicking = ticks }
            return ticks && !state.isTicking
        }
        if starts { startTimer() }
    }

    private func startTimer() {
        _ = Scheduler.unblocked.realBackend.enqueue({ self.tick() }, after: .seconds(1), for: .unblocked)
    }

    private func tick() {
        let goesOn = state.withLock { state in
            state.isTicking = !state.entries.isEmpty
            return state.isTicking
        }
        // First, as a callback of an operation that fails may block this thread.
        if goesOn { startTimer() }
        look()
    }

    /// Looks at all lines.
    ///
    /// - Parameter always: Whether to look also at lines that leave out this look, because a look at them takes long.
    package func look(always: Bool = false) {
        let entries = state.withLock { $0.entries }
        let over = Set(entries.filter { !$0.line.breakDeadlocks(always: always) }.map(\.number))
        if !over.isEmpty { state.withLock { $0.entries.removeAll { over.contains($0.number) } } }
        // The last references to their states may be these, and a closed one has an error of users.
        withExtendedLifetime(entries) {}
    }
}

/// The mechanism of a scheduler whose clock is a test's, which looks for deadlocks as that clock says.
package protocol ClockWithWatchdog: SchedulerBackend {
    var watchdog: Watchdog { get }
}

extension ClockWithWatchdog {
    package var hasOwnClock: Bool { true }
}
