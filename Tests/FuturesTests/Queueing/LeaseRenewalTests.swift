// Leases that end by time: how they are renewed and lost, in virtual time. Contract/Leases.md

import Futures
import FuturesTesting
import Testing

@Suite struct LeaseRenewalTests {
    private let time = VirtualTime()
    private let leases = MemoryLeases(duration: .seconds(9))

    private func queue() -> FutureQueue<Void> {
        FutureQueue(leasesFrom: leases, named: "a", renewOn: time.scheduler)
    }

    @Test func `a lease is renewed each third of its duration, until its operation has ended`() throws {
        let (queue, promise) = (queue(), Promise<Int>())
        let future = queue.enqueue(on: .immediate) { promise.future }
        time.advance(by: .seconds(100))
        #expect(leases.log == ["+a1"] + Array(repeating: "=a1", count: 33) && !future.isCompleted)
        promise.succeed(1)
        #expect(future.success == 1 && leases.log.last == "-a1")
        try time.checkNothingPending()
    }

    @Test
    func `a failed renewal is tried again each tenth of the duration, and a lease that is not renewed in time is lost`()
    {
        let (queue, promise) = (queue(), Promise<Int>())
        let future = queue.enqueue(on: .immediate) { promise.future }
        leases.renewNext(Array(repeating: .failure(MemoryLeases.Failed()), count: 20))
        time.advance(by: .seconds(8.9))
        #expect(leases.log == ["+a1"] + Array(repeating: "=a1", count: 7) && !future.isCompleted && queue.lease != nil)
        time.advance(by: .seconds(0.1))
        #expect(throws: QueueError.leaseLost(name: "a")) { try future.result?.get() }
        #expect(leases.log.last == "-a1" && leases.heldCount == 0 && promise.future.isCompleted && queue.isEmpty)
    }

    @Test func `a renewal that succeeds counts from its request`() {
        let (queue, promise) = (queue(), Promise<Int>())
        let future = queue.enqueue(on: .immediate) { promise.future }
        leases.renewNext([.failure(MemoryLeases.Failed()), .success(())])
        time.advance(by: .seconds(12))
        #expect(!future.isCompleted)
        promise.succeed(1)
        #expect(future.success == 1)
    }

    @Test func `a lease that the provider says is lost is lost at once, and its operation is cancelled`() {
        let (queue, isCancelled) = (queue(), Log<Int>())
        let future = queue.enqueue(on: .immediate) {
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
        let future = queue.enqueue(on: .immediate) {
            promise.future
        } finally: { _ in
            cleaned.future
        }
        let next = queue.enqueue(on: .immediate) { Future(2) }
        leases.renewNext([.failure(QueueError.leaseLost(name: "a"))])
        time.advance(by: .seconds(3))
        #expect(future.isCompleted && queue.lease == nil && !next.isCompleted)
        cleaned.succeed()
        #expect(next.success == 2 && leases.log == ["+a1", "=a1", "-a1", "+a2", "-a2"])
    }
}
