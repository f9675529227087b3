// Limits: which times and numbers are events.

import Futures

extension Diagnostics {
    /// The times and numbers above which something is an ``Event``. Each can be switched off by nil.
    ///
    ///     Diagnostics.limits.callback = .milliseconds(50)
    ///     Diagnostics.limits.historyCount = nil
    ///
    /// They apply while ``Diagnostics/isOn`` is true, to futures that were made meanwhile. Times are checked at
    /// intervals by one thread of the library, which is idle in between; numbers are checked when they change.
    public struct Limits: Hashable, Sendable {
        /// How long a callback may run on a serial scheduler, such as `.main`, an actor or a `Scheduler(label:)`.
        public var callback: Duration?
        /// How many operations may wait in a queue, lock or pool. Such a queue is an event again once it has had at
        /// most half as many.
        public var waitingCount: Int?
        /// How long an operation may have its turn in a queue, lock or pool, and how long a permit may be held.
        public var operation: Duration?
        /// How many steps and combinations a future may retain, so that it can be repeated. Futures before a
        /// `withoutHistory()` do not count.
        public var historyCount: Int?
        /// How long a thread may be in a call of `wait` until it is examined whether the future can complete. Then it
        /// is examined whenever that time has doubled.
        public var wait: Duration?
        /// How much later than its limit a time may be found to be too long: the resolution of `callback`, `operation`
        /// and `wait`.
        ///
        /// At least a millisecond. Checks that take long, because there are many pending futures, come less often:
        /// those that find nothing take at most 5 % of the time of one core.
        public var interval: Duration

        /// Creates limits. Each has a default.
        ///
        /// - Parameters:
        ///   - callback: How long a callback may run on a serial scheduler; nil for any time.
        ///   - waitingCount: How many operations may wait in a queue, lock or pool; nil for any number.
        ///   - operation: How long an operation may run, and how long a permit may be held; nil for any time.
        ///   - historyCount: How many steps a future may retain for its repetition; nil for any number.
        ///   - wait: How long a call of `wait` may last until it is examined; nil to examine none.
        ///   - interval: The time between two checks.
        package init(
            callback: Duration? = .milliseconds(250), waitingCount: Int? = 10_000, operation: Duration? = .seconds(30),
            historyCount: Int? = 10_000, wait: Duration? = .seconds(1), interval: Duration = .milliseconds(100)
        ) {
            self.callback = callback
            self.waitingCount = waitingCount
            self.operation = operation
            self.historyCount = historyCount
            self.wait = wait
            self.interval = interval
        }

        /// No limits: only failures that nothing observes, and abandoned promises, are events.
        public static let none = Limits(callback: nil, waitingCount: nil, operation: nil, historyCount: nil, wait: nil)

        /// Sets the limits of numbers, which are checked where they change.
        func apply() {
            DepthLimit.set(waitingCount ?? .max)
            HistoryLimit.set(historyCount ?? .max)
        }
    }

    /// The times and numbers above which something is an event: see ``onEvent(_:)``. They can be changed at any time.
    public static var limits: Limits {
        get { Watcher.limits }
        set { Watcher.limits = newValue }
    }
}
