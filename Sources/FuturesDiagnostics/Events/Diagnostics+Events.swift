// Events: the handler that is called with them, and what is printed without one.

import Futures

extension Diagnostics {
    /// Sets the handler that is called with each event while diagnosing is on.
    ///
    /// It is called a moment after the event, on a scheduler of the library, and not under any lock: it may block, use
    /// futures and set another handler. There is one call at a time: while it does not return, up to 1,000 events wait,
    /// and others are left out and counted (``Event/Kind/leftOut``). An event is told once for each future, callback,
    /// operation, permit and call of `wait`; for a queue, again once the number of its waiting operations has fallen to
    /// half of the limit (see ``Limits``).
    ///
    /// Without a handler, each event is a line on standard error. At most 20 lines are printed in a burst, and one more
    /// each second; a line says how many were left out. The last handler that was set counts.
    ///
    /// - Parameter handler: Called with each event; nil for the lines on standard error.
    public static func onEvent(_ handler: (@Sendable (Event) -> Void)?) {
        startEvents()
        let old = self.handler.withLock { current in
            defer { current.call = handler }
            return current
        }
        // Released without the lock.
        withExtendedLifetime(old) {}
    }

    /// A struct, because of what `Locked` does to closures.
    private struct Handler {
        var call: (@Sendable (Event) -> Void)?
    }

    private static let handler = Locked(Handler())
    private static let printing = Locked(PrintLimit())

    static var hasHandler: Bool { handler.withLock { $0.call != nil } }

    /// Has events reported from now on.
    static func startEvents() { _ = events }

    private static let events: Void = RecordedEvent.setHandler { EventFlow.add($0) }

    /// Calls the handler, or prints the event. Called by `EventFlow` only: it may block.
    static func tell(_ event: Event) {
        if let handler = handler.withLock({ $0 }).call { return handler(event) }
        switch printing.withLock({ $0.next(at: .now) }) {
        case .nothing: return
        case .notice: Output.write("Futures: \(PrintLimit.notice)\n")
        case .line(let leftOut):
            let before = leftOut > 0 ? "Futures: \(leftOut) events were not printed.\n" : ""
            Output.write("\(before)Futures: \(event)\n")
        }
    }
}
