// HostPauses: delays the requests to hosts that have asked for it.

import Futures

/// Delays the requests to a host: all of them, not only the one to which the host has responded with `Retry-After`.
@MainActor
final class HostPauses {
    struct IsPaused: Error {}

    private let limits: Fetcher.Limits
    private var ends: [Origin?: ContinuousClock.Instant] = [:]
    /// The number of pauses of each host since its last good response.
    private var counts: [Origin?: Int] = [:]

    init(_ limits: Fetcher.Limits) {
        self.limits = limits
    }

    /// Pauses the requests to a host. Returns false if the limits do not allow that: if the delay is too long, or if more
    /// pauses than a request has retries have not led to a good response.
    func pause(_ origin: Origin?, for delay: Duration) -> Bool {
        guard delay <= limits.maxPause else { return false }
        if !isPaused(origin) {
            guard counts[origin, default: 0] <= limits.retries else { return false }
            counts[origin, default: 0] += 1
        }
        let end = ContinuousClock.now + delay
        ends[origin] = max(end, ends[origin] ?? end)
        return true
    }

    /// Notes a good response of a host.
    func reset(_ origin: Origin?) { counts[origin] = nil }

    func isPaused(_ origin: Origin?) -> Bool {
        ends[origin].map { $0 > .now } ?? false
    }

    /// Returns a future that succeeds when the pause of the host is over.
    func end(of origin: Origin?) -> Future<Void> {
        isPaused(origin) ? Future().delay(until: ends[origin]!) : Future()
    }
}
