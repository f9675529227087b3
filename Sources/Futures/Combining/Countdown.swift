// Countdown: how a combination knows that all of its futures have completed.

internal import Synchronization

/// The number of events that a combination still waits for, and what its listeners share: their handler captures this
/// object and nothing else, so it needs no object of its own. Threads may count at the same time.
final class Countdown<Context: Sendable>: Sendable {
    private let count: Atomic<Int>
    let context: Context

    init(_ count: Int, _ context: Context) {
        self.count = Atomic(count)
        self.context = context
    }

    /// Counts one event, and returns whether it was the last one.
    func countDown() -> Bool { count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
}
