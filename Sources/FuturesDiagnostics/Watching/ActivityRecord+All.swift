// ActivityRecord.all: what is in progress and is no future, in its order.

internal import Futures

extension ActivityRecord {
    /// All that are in progress, the oldest first.
    // Here, because the code that sorts is two kilobytes of each program that has it.
    static var all: [ActivityRecord] { listed.sorted { $0.started < $1.started } }
}
