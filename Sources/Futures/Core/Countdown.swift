// Countdown: the number of events that a combination still waits for.

internal import Synchronization

/// The number of events that a combination still waits for. Threads may count at the same time.
final class Countdown: Sendable {
    private let count: Atomic<Int>

    init(_ count: Int) { self.count = Atomic(count) }

    /// Counts one event, and returns whether it was the last one.
    func countDown() -> Bool { count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }

    /// Whether the combination still waits for events.
    var isWaiting: Bool { count.load(ordering: .relaxed) > 0 }
}
