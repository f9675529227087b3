// CircuitState: when a circuit breaker lets calls through.

/// A pure state machine: it calls nothing. Times are counted from its beginning.
///
///     closed ──failures reach the limit──► open ──a call after the time──► trying
///       ▲                                   ▲                               │  │
///       │                                   └──────────────failure──────────┘  │
///       └──────────────────────────────success─────────────────────────────────┘
///
/// A trial without a success or a failure, because it was cancelled, leaves the circuit open, and the next call is a
/// trial.
struct CircuitState: Sendable {
    private enum Phase {
        case closed(failures: Int)
        case open(until: Duration)
        case trying
    }

    enum Admission {
        /// The number is to be given back with the result.
        case admitted(Int)
        case rejected(retryAfter: Duration)
    }

    enum Outcome { case success, failure, neither }

    private let maxFailures: Int
    private let resetTimeout: Duration
    private var phase = Phase.closed(failures: 0)
    /// Calls that were admitted before the last change of the phase count no more.
    private var age = 0

    init(maxFailures: Int, resetTimeout: Duration) {
        self.maxFailures = maxFailures
        self.resetTimeout = resetTimeout
    }

    var isClosed: Bool { if case .closed = phase { true } else { false } }

    /// Whether the next call may pass.
    func admits(at now: Duration) -> Bool {
        switch phase {
        case .closed: true
        case .open(let end): end <= now
        case .trying: false
        }
    }

    mutating func admit(at now: Duration) -> Admission {
        switch phase {
        case .closed: return .admitted(age)
        case .open(let end) where end <= now:
            change(to: .trying)
            return .admitted(age)
        case .open(let end): return .rejected(retryAfter: end - now)
        case .trying: return .rejected(retryAfter: .zero)
        }
    }

    mutating func end(_ call: Int, _ outcome: Outcome, at now: Duration) {
        guard call == age else { return }
        switch (phase, outcome) {
        case (.closed, .success): phase = .closed(failures: 0)
        case (.closed(let failures), .failure):
            if failures + 1 < maxFailures { phase = .closed(failures: failures + 1) } else { open(at: now) }
        case (.trying, .success): change(to: .closed(failures: 0))
        case (.trying, .failure): open(at: now)
        case (.trying, .neither): change(to: .open(until: .zero))
        case (.closed, .neither), (.open, _): break
        }
    }

    /// Lets calls through again.
    mutating func reset() { change(to: .closed(failures: 0)) }

    private mutating func open(at now: Duration) { change(to: .open(until: now.delayed(by: resetTimeout))) }

    private mutating func change(to phase: Phase) {
        self.phase = phase
        age += 1
    }
}
