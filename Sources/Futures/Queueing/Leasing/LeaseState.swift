// LeaseState: how far the outer lease of a turn is.

/// A pure state machine: when a turn may start, and when its lease is released. It calls nothing.
///
///     requested ──┬─ answer: a lease ──► held ──┬─ endTurn ──► releasing ──► ended
///                 │                             └─ lose ──► lost ── endTurn ──► releasing
///                 ├─ answer: an error ──► refused ── endTurn ──► ended
///                 └─ endTurn ──► abandoned ──┬─ answer: a lease ──► releasing
///                                            └─ answer: an error ──► ended
struct LeaseState {
    private enum Phase {
        /// The provider has not answered. Next is held, refused or abandoned.
        case requested
        /// The operation may run. Next is lost or releasing.
        case held(OuterLease)
        /// The operation was failed, and may still run. Next is releasing.
        case lost(OuterLease)
        /// The operation was failed before it could start. Next is ended.
        case refused
        /// The turn has ended before the provider has answered. Next is releasing or ended.
        case abandoned
        /// The provider has to release the lease. The final state.
        case releasing
        /// There is no lease. The final state.
        case ended
    }

    private var phase = Phase.requested
    /// Whether the provider's `renew` is being called.
    private var isRenewing = false
    /// What has to be released when that call has returned.
    private var unreleased: OuterLease?

    /// The lease, while the operation has it.
    var lease: OuterLease? {
        if case .held(let lease) = phase { lease } else { nil }
    }

    var isAbandoned: Bool {
        if case .abandoned = phase { true } else { false }
    }

    enum Answer {
        case start(OuterLease)
        case fail(any Error)
        case release(OuterLease)
        case end
    }

    /// The provider has answered. Returns what to do.
    mutating func answer(_ result: Result<OuterLease, any Error>) -> Answer {
        switch (phase, result) {
        case (.requested, .success(let lease)):
            phase = .held(lease)
            return .start(lease)
        case (.requested, .failure(let error)):
            phase = .refused
            return .fail(error)
        case (_, .success(let lease)):
            phase = .releasing
            return .release(lease)
        case (_, .failure):
            phase = .ended
            return .end
        }
    }

    enum End {
        case release(OuterLease)
        /// The request has to be cancelled, and answers all the same.
        case withdraw
        /// Another call does it: `endRenewal` or `answer`.
        case nothing
        case end
    }

    /// The turn has ended. Returns what to do.
    mutating func endTurn() -> End {
        switch phase {
        case .held(let lease), .lost(let lease):
            phase = .releasing
            guard isRenewing else { return .release(lease) }
            unreleased = lease
            return .nothing
        case .requested:
            phase = .abandoned
            return .withdraw
        case .refused:
            phase = .ended
            return .end
        // It has ended already.
        case .abandoned, .releasing, .ended: return .nothing
        }
    }

    /// The provider's `renew` is about to be called. Returns whether the operation still has that lease.
    mutating func beginRenewal(of lease: OuterLease) -> Bool {
        guard self.lease == lease else { return false }
        isRenewing = true
        return true
    }

    /// The call has returned. Returns the lease, if it has to be released now.
    mutating func endRenewal() -> OuterLease? {
        isRenewing = false
        return unreleased.take()
    }

    /// The lease was extended. Returns whether the operation still has it.
    mutating func renew(_ lease: OuterLease) -> Bool {
        guard case .held = phase else { return false }
        phase = .held(lease)
        return true
    }

    /// The lease has ended by itself. Returns whether the operation had it until now.
    mutating func lose() -> Bool {
        guard case .held(let lease) = phase else { return false }
        phase = .lost(lease)
        return true
    }
}
