// Events that futures and queues tell of themselves.

internal import Futures

extension Diagnostics.Event {
    init(_ event: RecordedEvent) {
        switch event {
        case .unobservedFailure(let error, let stack, let name, let origin, let madeBy):
            let subject = Self.subject(stack, name, origin, madeBy)
            self.init(
                .unobservedFailure, subject, error: error,
                "Nothing observed the error that has reached \(subject): \(error)")
        case .abandoned(let origin):
            self.init(.abandoned, "\(origin)", "\(FutureError.abandoned(origin: origin))")
        case .deepQueue(let name, let count, let origin):
            self.init(
                .deepQueue, name, count: count,
                "\(count) operations wait in \(name), the last one enqueued at \(origin).")
        case .longHistory(let count, let stack, let name, let origin, let madeBy):
            let subject = Self.subject(stack, name, origin, madeBy)
            self.init(
                .longHistory, subject, count: count,
                "The history of \(subject) has \(count) steps, which it retains. See withoutHistory().")
        }
    }

    /// The operator that has made a future, and where.
    private static func subject(
        _ stack: [UInt], _ name: String?, _ origin: FutureError.SourceLocation?, _ madeBy: UInt
    ) -> String {
        let callSite = CallSite(stack: stack)
        let title = callSite.operation ?? Symbols.function(at: madeBy)?.operation ?? "a future"
        let site = [callSite.place, origin.map { "of the future made at \($0)" }]
        return ([title, name.map { "\"\($0)\"" }] + site).compactMap { $0 }.joined(separator: " ")
    }
}
