// StillPending: the error of a check that nothing is pending.

extension VirtualTime {
    /// The error of ``VirtualTime/checkNothingPending()``: callbacks or timers are still pending.
    public struct StillPending: Error, CustomStringConvertible {
        /// The times at which the pending callbacks and timers are due, in ascending order.
        public let dueTimes: [Duration]

        /// A message that lists up to ten of them, with the times at which they are due.
        public let description: String

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
