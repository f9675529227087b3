// HostPauses: delays the requests to hosts that have asked for it, or that have a rate limit.

import Futures

/// Delays the requests to a host: all of them, not only the one to which the host has responded with `Retry-After`.
@MainActor
final class HostPauses {
    struct IsPaused: Error {}

    private let rate: Int?
    private var ends: [Origin?: ContinuousClock.Instant] = [:]
    /// For each host, a queue whose operations do nothing but start at the host's rate.
    private var tickets: [Origin?: FutureQueue<Void>] = [:]

    init(rate: Int? = nil) {
        self.rate = rate
    }

    func pause(_ origin: Origin?, for delay: Duration) {
        let end = ContinuousClock.now + delay
        ends[origin] = max(end, ends[origin] ?? end)
    }

    func isPaused(_ origin: Origin?) -> Bool {
        ends[origin].map { $0 > .now } ?? false
    }

    /// Returns a future that succeeds when the host may have another request.
    func turn(of origin: Origin?) -> Future<Void> {
        let pause = isPaused(origin) ? Future().delay(until: ends[origin]!) : Future()
        guard let rate else { return pause }
        return pause.flatMap {
            let queue = self.tickets[origin] ?? FutureQueue(rate: RateLimit(rate, per: .seconds(1)))
            self.tickets[origin] = queue
            return queue.enqueue { Future() }
        }
    }
}
