// Events that futures and queues tell of themselves.

import Futures

extension Diagnostics.Event {
    init(_ event: RecordedEvent) {
        switch event {
        case .unobservedFailure(let error, let future):
            let subject = Self.words(for: future)
            self.init(
                .unobservedFailure, subject, error: error,
                "Nothing observed the error that has reached \(subject): \(error)")
        case .abandoned(let origin):
            self.init(.abandoned, "\(origin)", "\(FutureError.abandoned(origin: origin))")
        case .deepQueue(let name, let count, let origin):
            self.init(
                .deepQueue, name, count: count,
                "\(count) operations wait in \(name), the last one enqueued at \(origin).")
        case .longHistory(let count, let future):
            let subject = Self.words(for: future)
            self.init(
                .longHistory, subject, count: count,
                "The history of \(subject) has \(count) steps, which it retains. See withoutHistory().")
        }
    }

    /// The operator that has made a future, and where.
    private static func words(for future: RecordedEvent.Subject) -> String {
        let callSite = CallSite(stack: future.stack)
        let title = callSite.operation ?? Symbols.function(at: future.madeBy)?.operation ?? "a future"
        let site = [callSite.place, future.origin.map { "of the future made at \($0)" }]
        return ([title, future.name.map { "\"\($0)\"" }] + site).compactMap { $0 }.joined(separator: " ")
    }
}
