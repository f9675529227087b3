// Countdown: how many events a combination still waits for.

internal import Synchronization

/// How many events a combination still waits for. Threads may count at the same time.
final class Countdown: Sendable {
    private let count: Atomic<Int>

    init(_ count: Int) { self.count = Atomic(count) }

    /// Counts one event, and returns whether it was the last one.
    func isLast() -> Bool { count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }

    /// Whether events are awaited still.
    var isWaiting: Bool { count.load(ordering: .relaxed) > 0 }

    /// Awaits no more events: none is the last one.
    func stop() { count.store(.min / 2, ordering: .relaxed) }
}
