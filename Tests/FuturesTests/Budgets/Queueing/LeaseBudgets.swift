// Budgets of turns with outer leases.

import Futures

extension Budget {
    static let leasing = [
        Budget("enqueue with a lease", of: "TurnGiver.enqueue TurnsOnScheduler.enqueue", leased) { times in
            let queue = FutureQueue(leasesFrom: Endless(), named: "a", leasesOn: .immediate)
            for _ in 0..<times { queue.on(.immediate).enqueue { Future(1) } }
            precondition(queue.isEmpty)
        },
        Budget("renew, by default", of: "OuterLeaseProvider.renew", [made, Reason(1, "the lease in it")]) { times in
            let (leases, lease) = (Endless(), OuterLease(name: "a", token: 1))
            for _ in 0..<times { escape(leases.renew(lease)) }
        },
    ]

    private static let leased = [
        place, made,
        Reason(2, "the turn, and its state"),
        Reason(2, "its weak reference to the operation, and the side table of that"),
        Reason(1, "the job that requests the lease"),
        Reason(3, "the call of the provider on its scheduler: what it follows, its node, its types"),
        Reason(2, "the future of the lease, and the lease in it"),
        Reason(1, "its listener"),
        Reason(1, "the job that ends the turn"),
        Reason(4, "the same for the release, with its closure"),
        Reason(2, "the future of the release, and its listener"),
        Reason(2, "the job that starts the next turn, and its closure"),
    ]
}

/// Grants each request immediately.
private struct Endless: OuterLeaseProvider {
    func acquire(_ name: String) -> Future<OuterLease> { Future(OuterLease(name: name, token: 1)) }
    func release(_ lease: OuterLease) -> Future<Void> { Future() }
}
