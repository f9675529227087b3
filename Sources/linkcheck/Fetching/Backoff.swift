// Backoff: how long to wait before the next try.

/// Delays that double each time, up to a minute.
///
/// A class, because the closure that asks for the next delay is called once for each try.
@MainActor
final class Backoff {
    private var next: Duration

    init(first: Duration) {
        next = first
    }

    /// The delay before the next try, or what the server asks for if that is longer.
    func delay(asked: Duration? = nil) -> Duration {
        let delay = min(max(next, asked ?? .zero), .seconds(60))
        next = min(next * 2, .seconds(60))
        return delay
    }
}
