// Events: what happens to futures that their code may not have meant.

internal import Futures

extension Diagnostics {
    /// Something that happened to a future, and that its code may not have meant.
    public struct Event: Sendable, CustomStringConvertible {
        /// What happened.
        public enum Kind: Sendable {
            /// A future failed and was released, and nothing had listened to it or read its result: its error is lost.
            ///
            /// Cancelled futures do not count, nor those whose last step is one that gets errors, such as `onError` or
            /// `always`; nor futures that lose in a `select`, because that listens to them.
            case unobservedFailure
            /// A promise or a completion closure was released without being called.
            case abandoned
        }

        /// What happened.
        public let kind: Kind
        /// The error that nothing has observed.
        public let error: (any Error)?
        /// The future: its operator, and where it was made.
        public let future: String

        /// One line.
        public var description: String {
            switch kind {
            case .unobservedFailure: "Nothing observed the failure of \(future): \(error.map { "\($0)" } ?? "")"
            case .abandoned: "The promise or completion made at \(future) was released without being called."
            }
        }
    }

    /// Sets what is called with each event while diagnosing is on: on a scheduler of the library, a moment later.
    ///
    /// Without a handler, each event is a line on standard error. The last handler counts.
    ///
    /// - Parameter handler: Called with each event; nil for the lines on standard error.
    public static func onEvent(_ handler: (@Sendable (Event) -> Void)?) {
        _ = events
        setHandler(handler)
    }

    /// Has events printed, unless a handler was set.
    static func startEvents() { _ = events }

    private static let events: Void = setHandler(nil)

    private static func setHandler(_ handler: (@Sendable (Event) -> Void)?) {
        let handler = handler ?? { Output.write("Futures: \($0)\n") }
        RecordedEvent.setHandler { handler(Event($0)) }
    }
}

extension Diagnostics.Event {
    fileprivate init(_ event: RecordedEvent) {
        switch event {
        case .unobservedFailure(let error, let facts, let origin, let madeBy):
            kind = .unobservedFailure
            self.error = error
            let callSite = CallSite(stack: facts.stack)
            let title = callSite.operation ?? Symbols.function(at: madeBy)?.operation ?? "a future"
            let site = [callSite.caller.map { "in \($0)" }, origin.map { "of the future made at \($0)" }]
            future = ([title, facts.name.map { "\"\($0)\"" }] + site).compactMap { $0 }.joined(separator: " ")
        case .abandoned(let origin):
            kind = .abandoned
            error = nil
            future = "\(origin)"
        }
    }
}
