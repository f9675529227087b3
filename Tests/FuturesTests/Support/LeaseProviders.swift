// Providers of outer leases that answer late, never, or observe where they are called.

import Futures

/// A provider that answers when the test does.
final class SlowLeases: OuterLeaseProvider {
    let requests = Log<Promise<OuterLease>>()
    let released = Log<UInt64>()
    let releasing = Log<Promise<Void>>()
    private let (isReleasing, isKept): (Bool, Bool)

    init(isReleasing: Bool = true, isKept: Bool = false) {
        (self.isReleasing, self.isKept) = (isReleasing, isKept)
    }

    func acquire(_ name: String) -> Future<OuterLease> {
        let promise = Promise<OuterLease>()
        requests.add(promise)
        if isKept { promise.future.onValue(on: .immediate) { _ in } }
        return promise.future
    }

    func release(_ lease: OuterLease) -> Future<Void> {
        released.add(lease.token)
        guard !isReleasing else { return Future() }
        let promise = Promise<Void>()
        releasing.add(promise)
        if isKept { promise.future.onValue(on: .immediate) { _ in } }
        return promise.future
    }
}

/// Never answers.
struct NoLeases: OuterLeaseProvider {
    func acquire(_ name: String) -> Future<OuterLease> { .never }
    func release(_ lease: OuterLease) -> Future<Void> { Future() }
}

/// Grants each request immediately, and observes where.
struct Observed: OuterLeaseProvider {
    var places: Log<Scheduler>?
    var acquired: @Sendable (String) -> Void = { _ in }

    func acquire(_ name: String) -> Future<OuterLease> {
        places?.add(.current)
        acquired(name)
        return Future(OuterLease(name: name, token: 1))
    }

    func release(_ lease: OuterLease) -> Future<Void> {
        places?.add(.current)
        return Future()
    }
}
