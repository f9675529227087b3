// StillPending: what waits though nothing should.

extension VirtualTime {
    /// What still waits though nothing should.
    public struct StillPending: Error, CustomStringConvertible {
        /// When the callbacks and timers that wait are due, in this order.
        public let dueTimes: [Duration]

        /// How many there are, when they are due, and what to look for.
        public let description: String

        init(_ items: [Agenda.Item], now: Duration) {
            dueTimes = items.map(\.time)
            let shown = items.prefix(10).map { item in
                item.isTimer ? "a timer, due at \(item.time)" : "a callback, due since \(item.time)"
            }
            let rest = items.count > shown.count ? ", and \(items.count - shown.count) more" : ""
            description =
                "At \(now) there is still waiting: \(shown.joined(separator: "; "))\(rest). Let the time pass if they are to "
                + "run, or else cancel the futures that they belong to."
        }
    }
}
