// Leasing: outer leases are granted, cancelled and released by several threads; none is held outside of a turn.

import Futures
import Synchronization
import Testing

/// Grants the first request when the scenario does, and later ones immediately.
private final class Leases: OuterLeaseProvider {
    private let state = Mutex<(granted: Int, released: Int, overlapped: Bool)>((0, 0, false))
    private let first = Promise<Void>()

    func acquire(_ name: String) -> Future<OuterLease> {
        let lease: Future<OuterLease> = (state.withLock { $0.granted } == 0 ? first.future : Future()).map(
            on: .immediate
        ) {
            self.state.withLock { state in
                if state.granted != state.released { state.overlapped = true }
                state.granted += 1
                return OuterLease(name: name, token: UInt64(state.granted))
            }
        }
        // The provider's own listener: a lease that comes too late is released, too.
        lease.always(on: .immediate) {}
        return lease
    }

    func release(_ lease: OuterLease) -> Future<Void> {
        state.withLock { $0.released += 1 }
        return Future()
    }

    func grant() { first.succeed() }

    /// What is wrong, if anything.
    func failure(_ counts: ClosedRange<Int>) -> String? {
        let (granted, released, overlapped) = state.withLock { $0 }
        if overlapped { return "two leases at once" }
        return granted == released && counts.contains(granted) ? nil : "\(granted) granted, \(released) released"
    }
}

/// A queue with an operation that asks for its lease, and another one behind it.
private func scenario(
    _ name: String, hasPause: Bool = false, granted: ClosedRange<Int> = 2...2, runs: ClosedRange<Int>,
    threads:
        @escaping @Sendable (Leases, FutureQueue<Void>, Future<Tracked>, Promise<Tracked>) -> [@Sendable () -> Void]
) -> Scenario {
    Scenario(name) {
        let (leases, inside, promise) = (Leases(), OneAtATime(), Promise<Tracked>())
        let queue = FutureQueue(leasesFrom: leases, named: "a", leasesOn: .immediate)
        if hasPause {
            queue.pause()
            leases.grant()
        }
        let first = queue.on(.immediate).enqueue { inside.operation(promise.future) }
        let second = queue.on(.immediate).enqueue { inside.operation() }
        return .init(
            threads: threads(leases, queue, first, promise),
            check: {
                leases.grant()
                promise.succeed(Tracked(1))
                return inside.failure(runs) ?? leases.failure(granted)
                    ?? (queue.isEmpty && second.isCompleted ? nil : "not empty")
            })
    }
}

/// A lease of 18 seconds, which nothing may renew after its release.
private final class Renewals: OuterLeaseProvider {
    private let state = Mutex<(renewed: Int, released: Int, late: Bool)>((0, 0, false))

    func acquire(_ name: String) -> Future<OuterLease> {
        Future(OuterLease(name: name, token: 1, duration: .seconds(18)))
    }

    func renew(_ lease: OuterLease) -> Future<OuterLease> {
        pause()
        state.withLock { state in
            state.renewed += 1
            if state.released > 0 { state.late = true }
        }
        return Future(lease)
    }

    func release(_ lease: OuterLease) -> Future<Void> {
        state.withLock { $0.released += 1 }
        return Future()
    }

    /// What is wrong, if anything.
    var failure: String? {
        let (renewed, released, late) = state.withLock { $0 }
        if late { return "renewed after the release" }
        return released == 1 && renewed <= 1 ? nil : "renewed \(renewed) times, released \(released) times"
    }
}

private let renewing = Scenario("a lease has to be renewed, complete its operation") {
    let (leases, promise) = (Renewals(), Promise<Tracked>())
    let queue = FutureQueue(leasesFrom: leases, named: "a", leasesOn: .immediate)
    queue.on(.immediate).enqueue { promise.future }
    return .init(
        threads: [letTimePass, { promise.succeed(Tracked(1)) }],
        check: { leases.failure ?? (queue.isEmpty ? nil : "not empty") })
}

let leasingScenarios = [
    renewing,
    scenario("a lease is granted, cancel its operation", runs: 1...2) { leases, _, first, _ in
        [{ leases.grant() }, { first.cancel() }]
    },
    scenario("a lease is granted, abort all", granted: 1...2, runs: 0...1) { leases, queue, _, _ in
        [{ leases.grant() }, { queue.cancelAll() }]
    },
    scenario("an operation with a lease completes, cancel it", runs: 2...2) { leases, _, first, promise in
        leases.grant()
        return [{ promise.succeed(Tracked(1)) }, { first.cancel() }]
    },
    scenario("an operation gets its turn, and asks for a lease; cancel it", hasPause: true, granted: 1...2, runs: 1...2)
    {
        _, queue, first, _ in
        [{ queue.resume() }, { first.cancel() }]
    },
    scenario("a lease is granted, enqueue another operation", granted: 3...3, runs: 2...2) {
        leases, queue, _, promise in
        [
            {
                leases.grant()
                promise.succeed(Tracked(1))
            },
            { queue.on(.immediate).enqueue { promise.future.map(on: .immediate) { $0 } } },
        ]
    },
]

extension ExplorationTests {
    @Suite struct Leasing {
        @Test(arguments: names(of: leasingScenarios))
        func `every order of the threads is right`(_ name: String) { check(name, leasingScenarios) }
    }
}
