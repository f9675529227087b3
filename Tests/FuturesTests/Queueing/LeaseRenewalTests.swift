// Leases that end by time: how they are renewed and lost, in virtual time. Contract/Leases.md

import Futures
import FuturesTesting
import Testing

@Suite struct LeaseRenewalTests {
    private let time = VirtualTime()
    private let leases = MemoryLeases(duration: .seconds(9))

    private func queue() -> FutureQueue<Void> {
        FutureQueue(leasesFrom: leases, named: "a", leasesOn: time.scheduler)
    }

    /// Lets the provider be called.
    private func settle() { time.advance(by: .zero) }

    @Test func `a lease is renewed each third of its duration, until its operation has ended`() throws {
        let (queue, promise) = (queue(), Promise<Int>())
        let future = queue.on(.immediate).enqueue { promise.future }
        time.advance(by: .seconds(100))
        #expect(leases.log == ["+a1"] + Array(repeating: "=a1", count: 33) && !future.isCompleted)
        promise.succeed(1)
        settle()
        #expect(future.success == 1 && leases.log.last == "-a1")
        try time.checkNothingPending()
    }

    @Test
    func `a failed renewal is tried again each tenth of the duration, and a lease that is not renewed in time is lost`()
    {
        let (queue, promise) = (queue(), Promise<Int>())
        let future = queue.on(.immediate).enqueue { promise.future }
        leases.renewNext(Array(repeating: .failure(MemoryLeases.Failed()), count: 20))
        time.advance(by: .seconds(8.9))
        #expect(leases.log == ["+a1"] + Array(repeating: "=a1", count: 7) && !future.isCompleted && queue.lease != nil)
        time.advance(by: .seconds(0.1))
        #expect(throws: QueueError.leaseLost(name: "a")) { try future.result?.get() }
        #expect(leases.log.last == "-a1" && leases.heldCount == 0 && promise.future.isCompleted && queue.isEmpty)
    }

    @Test func `a lease of the longest duration is kept, and one of a negative duration is lost`() {
        for isLong in [true, false] {
            let duration = isLong ? Duration(attoseconds: .max) : Duration(attoseconds: .min)
            let queue = FutureQueue<Void>(
                leasesFrom: MemoryLeases(duration: duration), named: "a", leasesOn: time.scheduler)
            let promise = Promise<Int>()
            let future = queue.on(.immediate).enqueue { promise.future }
            time.advance(by: .seconds(1_000_000_000))
            #expect(future.isCompleted == !isLong)
            promise.succeed(1)
            if isLong { #expect(future.success == 1) }
            if !isLong { #expect(throws: QueueError.leaseLost(name: "a")) { try future.result?.get() } }
        }
    }

    @Test func `a renewal that succeeds counts from its request`() {
        let (queue, promise) = (queue(), Promise<Int>())
        let future = queue.on(.immediate).enqueue { promise.future }
        leases.renewNext([.failure(MemoryLeases.Failed()), .success(())])
        time.advance(by: .seconds(12))
        #expect(!future.isCompleted)
        promise.succeed(1)
        #expect(future.success == 1)
    }

    @Test func `a lease that the provider says is lost is lost at once, and its operation is cancelled`() {
        let (queue, isCancelled) = (queue(), Log<Int>())
        let future = queue.on(.immediate).enqueue {
            Future<Int>(on: .immediate) { completion in
                Disposer {
                    isCancelled.add(1)
                    withExtendedLifetime(completion) {}
                }
            }
        }
        leases.renewNext([.failure(QueueError.leaseLost(name: "a"))])
        time.advance(by: .seconds(3))
        #expect(throws: QueueError.leaseLost(name: "a")) { try future.result?.get() }
        #expect(isCancelled.entries == [1] && leases.log == ["+a1", "=a1", "-a1"])
    }

    @Test func `an operation that has lost its lease has its turn until it has ended, but no lease`() {
        let (queue, promise, cleaned) = (queue(), Promise<Int>(), Promise<Void>())
        let future = queue.on(.immediate).enqueue {
            promise.future
        } finally: { _, _ in
            cleaned.future
        }
        let next = queue.on(.immediate).enqueue { Future(2) }
        leases.renewNext([.failure(QueueError.leaseLost(name: "a"))])
        time.advance(by: .seconds(3))
        #expect(future.isCompleted && queue.lease == nil && !next.isCompleted)
        cleaned.succeed()
        settle()
        #expect(next.success == 2 && leases.log == ["+a1", "=a1", "-a1", "+a2", "-a2"])
    }

    @Test func `a lease is renewed as often as its duration says, however long a renewal takes`() {
        let (renewals, promise) = (SlowRenewals(time, takes: .milliseconds(2500)), Promise<Int>())
        let queue = FutureQueue(leasesFrom: renewals, named: "a", leasesOn: time.scheduler)
        let future = queue.on(.immediate).enqueue { promise.future }
        time.advance(by: .seconds(60))
        // Each two seconds, or when the renewal before has ended.
        #expect(!future.isCompleted && renewals.count.value == 24)
        promise.succeed(1)
        #expect(future.success == 1)
    }

    @Test func `nothing renews a lease after its release`() {
        let promise = Promise<Int>()
        let renewals = SlowRenewals(time, takes: .zero) { promise.succeed(1) }
        let queue = FutureQueue(leasesFrom: renewals, named: "a", leasesOn: time.scheduler)
        let future = queue.on(.immediate).enqueue { promise.future }
        time.advance(by: .seconds(60))
        #expect(future.success == 1 && queue.isEmpty)
        #expect(renewals.log.entries == ["renewing", "renewed", "released"])
    }
}

/// Leases of six seconds, whose renewals take their time.
private final class SlowRenewals: OuterLeaseProvider {
    private let time: VirtualTime
    private let duration: Duration
    private let during: @Sendable () -> Void
    let count = AtomicCounter()
    let log = Log<String>()

    init(_ time: VirtualTime, takes duration: Duration, during: @escaping @Sendable () -> Void = {}) {
        (self.time, self.duration, self.during) = (time, duration, during)
    }

    func acquire(_ name: String) -> Future<OuterLease> {
        Future(OuterLease(name: name, token: 1, duration: .seconds(6)))
    }

    func renew(_ lease: OuterLease) -> Future<OuterLease> {
        count.up()
        log.add("renewing")
        during()
        log.add("renewed")
        return Future(lease).delay(by: duration, on: time.scheduler)
    }

    func release(_ lease: OuterLease) -> Future<Void> {
        log.add("released")
        return Future()
    }
}
