// MemoryLeases: outer leases in memory, for tests.

import Futures

/// Grants leases in their order, and counts. As two queues have the same provider, each is another process to the
/// other.
final class MemoryLeases: OuterLeaseProvider {
    struct Failed: Error {}

    private struct State: Sendable {
        var mutexes: [String: FutureMutex] = [:]
        var token: UInt64 = 0
        var log: [String] = []
        var renewals: [Result<Void, any Error>] = []
        var failures = 0
        var releaseFailures = 0
    }

    private let state = Shared(State())
    let duration: Duration?

    init(duration: Duration? = nil) { self.duration = duration }

    /// What was done, in its order: `+a1` for a granted lease, `=a1` for a renewed and `-a1` for a released one.
    var log: [String] { state.change { $0.log } }
    /// How many leases are held.
    var heldCount: Int { state.change { $0.mutexes.values.count { !$0.isEmpty } } }

    /// Makes this number of requests, or the next release, fail.
    func failNext(_ count: Int = 1) { state.change { $0.failures += count } }
    func failNextRelease() { state.change { $0.releaseFailures += 1 } }
    /// What the next renewals return; afterwards they succeed.
    func renewNext(_ results: [Result<Void, any Error>]) { state.change { $0.renewals += results } }

    func acquire(_ name: String) -> Future<OuterLease> {
        let mutex = state.change { state -> FutureMutex? in
            if state.failures > 0 {
                state.failures -= 1
                return nil
            }
            if state.mutexes[name] == nil { state.mutexes[name] = FutureMutex() }
            return state.mutexes[name]
        }
        guard let mutex else { return Future(error: Failed()) }
        return mutex.acquire().map(on: .immediate) { [self] permit in
            state.change { state in
                state.token += 1
                state.log.append("+\(name)\(state.token)")
                return OuterLease(name: name, token: state.token, duration: duration, holder: permit)
            }
        }
    }

    func renew(_ lease: OuterLease) -> Future<OuterLease> {
        let result = state.change { state -> Result<Void, any Error> in
            state.log.append("=\(lease.name)\(lease.token)")
            return state.renewals.isEmpty ? .success(()) : state.renewals.removeFirst()
        }
        return Future(result: result.map { lease })
    }

    func release(_ lease: OuterLease) -> Future<Void> {
        let fails = state.change { state in
            state.log.append("-\(lease.name)\(lease.token)")
            let fails = state.releaseFailures > 0
            if fails { state.releaseFailures -= 1 }
            return fails
        }
        (lease.holder as? Permit)?.release()
        return fails ? Future(error: Failed()) : Future()
    }
}
