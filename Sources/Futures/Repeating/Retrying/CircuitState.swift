// CircuitState: when a circuit breaker lets calls through.

/// A pure state machine: it calls nothing. Times are counted from its beginning.
///
///     closed ──failures reach the limit──► open ──a call after the time, the trial──┐
///       ▲                                   │ ▲                                     │
///       └─────────the trial succeeds────────┘ └─────────────────────────────────────┘
///
/// A trial opens the circuit for another time when it starts, whether it fails then or never ends. If it ends without a
/// success or a failure, because it was cancelled, the next call is a trial.
struct CircuitState: Sendable {
    private enum Phase {
        case closed(failures: Int)
        case open(until: Duration)
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
        }
    }

    mutating func admit(at now: Duration) -> Admission {
        if case .open(let end) = phase {
            guard end <= now else { return .rejected(retryAfter: end - now) }
            open(at: now)
        }
        return .admitted(age)
    }

    mutating func end(_ call: Int, _ outcome: Outcome, at now: Duration) {
        guard call == age else { return }
        switch (phase, outcome) {
        case (.closed(let failures), .failure):
            if failures + 1 < maxFailures { phase = .closed(failures: failures + 1) } else { open(at: now) }
        case (.closed, .success): phase = .closed(failures: 0)
        case (.open, .success): change(to: .closed(failures: 0))
        case (.open, .neither): change(to: .open(until: .zero))
        case (.open, .failure): age += 1
        case (.closed, .neither): break
        }
    }

    private mutating func open(at now: Duration) { change(to: .open(until: now.delayed(by: resetTimeout))) }

    private mutating func change(to phase: Phase) {
        self.phase = phase
        age += 1
    }
}
