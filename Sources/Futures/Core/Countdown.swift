// Countdown: the number of events that a combination still waits for.

internal import Synchronization

/// The number of events that a combination still waits for. Threads may count at the same time.
///
/// The context is what the listeners share. It is here so that their handler captures one object and nothing else: then
/// the handler needs no object of its own.
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
