// Queues and locks that take an outer lease for each turn. Contract/Leases.md

import Futures
import FuturesDiagnostics
import FuturesTesting
import Synchronization
import Testing

@Suite struct OuterLeaseTests {
    private struct Lost: Error {}

    private func queue(_ leases: MemoryLeases) -> FutureQueue<Void> {
        FutureQueue(leasesFrom: leases, named: "a", leasesOn: .immediate)
    }

    private func lock(_ leases: MemoryLeases) -> FutureMutex {
        FutureMutex(leasesFrom: leases, named: "a", leasesOn: .immediate)
    }

    @Test func `an operation starts when its lease is granted, and the next one behind the release`() {
        let leases = MemoryLeases()
        let queue = self.queue(leases)
        let (first, second) = (Promise<Int>(), Promise<Int>())
        let one = queue.on(.immediate).enqueue { first.future }
        let two = queue.on(.immediate).enqueue { second.future }
        #expect(leases.log == ["+a1"])
        first.succeed(1)
        #expect(one.success == 1 && leases.log == ["+a1", "-a1", "+a2"])
        second.succeed(2)
        #expect(two.success == 2 && leases.log == ["+a1", "-a1", "+a2", "-a2"] && queue.isEmpty)
    }

    @Test func `two queues with leases of one name never run at the same time, as if in two processes`() {
        let leases = MemoryLeases()
        let queues = (0..<2).map { _ in queue(leases) }
        let (log, gate) = (Log<Int>(), Promise<Void>())
        let first = queues[0].on(.immediate).enqueue { gate.future.map(on: .immediate) { log.add(0) } }
        let second = queues[1].on(.immediate).run { log.add(1) }
        #expect(log.entries == [] && queues[1].runningCount == 1)
        gate.succeed()
        #expect(log.entries == [0, 1] && first.isCompleted && second.isCompleted && leases.heldCount == 0)
    }

    @Test func `an operation sees its lease, whose token is greater than all before`() throws {
        let leases = MemoryLeases()
        let queue = FutureQueue(resource: 7, leasesFrom: leases, named: "a", leasesOn: .immediate)
        let keyed = KeyedFutureQueue<Int>(leasesFrom: leases, named: { "k\($0)" }, leasesOn: .immediate)
        let mutex = FutureMutex(leasesFrom: leases, named: "m", leasesOn: .immediate)
        let first = queue.on(.immediate).run { _ in queue.lease?.token }
        let second = keyed[3].on(.immediate).run { (keyed[3].lease?.name, keyed[4].lease?.name) }
        let third = mutex.on(.immediate).enqueue { Future(mutex.lease?.token) }
        #expect(first.success == 1 && second.success! == ("k3", nil) && third.success == 3)
        #expect(queue.lease == nil && keyed[3].lease == nil && mutex.lease == nil)
        #expect(FutureQueue().lease == nil)
    }

    @Test func `a lease is released behind the cleanup of its operation, however that has ended`() {
        let leases = MemoryLeases()
        let queue = self.queue(leases)
        let ends: [@Sendable (Promise<Int>, Future<Int>) -> Void] = [
            { promise, _ in promise.succeed(1) }, { promise, _ in promise.fail(Lost()) },
            { _, future in future.cancel() },
            { _, _ in queue.cancelAll() },
        ]
        for (index, end) in ends.enumerated() {
            let (promise, cleaned) = (Promise<Int>(), Promise<Void>())
            let future = queue.on(.immediate).enqueue {
                promise.future
            } finally: { _, _ in
                cleaned.future
            }
            end(promise, future)
            #expect(leases.heldCount == 1 && leases.log.last == "+a\(index + 1)")
            cleaned.succeed()
            #expect(leases.heldCount == 0 && future.isCompleted && queue.isEmpty)
        }
    }

    @Test func `an operation that is cancelled while it waits for its lease never runs, and its request is cancelled`()
    {
        let leases = MemoryLeases()
        let (other, queue) = (lock(leases), self.queue(leases))
        let permit = other.acquire().success
        let (first, second) = (queue.on(.immediate).enqueue { Future(1) }, queue.on(.immediate).enqueue { Future(2) })
        #expect(first.cancel() && first.isCompleted && !second.isCompleted)
        permit?.release()
        #expect(second.success == 2 && leases.log == ["+a1", "-a1", "+a2", "-a2"] && queue.isEmpty)
    }

    @Test func `a lease that is granted to an operation that was cancelled meanwhile is released`() {
        let provider = SlowLeases(isKept: true)
        let queue = FutureQueue(leasesFrom: provider, named: "a", leasesOn: .immediate)
        let (first, second) = (queue.on(.immediate).enqueue { Future(1) }, queue.on(.immediate).enqueue { Future(2) })
        // The provider listens to its request itself, so that is not cancelled: no other one is made until it has
        // ended.
        #expect(first.cancel() && provider.requests.entries.count == 1)
        provider.requests.entries[0].succeed(OuterLease(name: "a", token: 1))
        #expect(provider.released.entries == [1] && provider.requests.entries.count == 2)
        provider.requests.entries[1].succeed(OuterLease(name: "a", token: 2))
        #expect(second.success == 2 && provider.released.entries == [1, 2])
    }

    @Test func `a request that can never be answered fails its operation`() {
        let queue = FutureQueue(leasesFrom: NoLeases(), named: "a", leasesOn: .immediate)
        let futures = (0..<3).map { _ in queue.on(.immediate).enqueue { Future(1) } }
        #expect(futures.allSatisfy { $0.error as? QueueError == .leaseLost(name: "a") } && queue.isEmpty)
    }

    @Test func `the provider, and what names leases, are called on the scheduler that is meant for them`() async throws
    {
        let (scheduler, places) = (Scheduler(label: "leases"), Log<Scheduler>())
        let queue = KeyedFutureQueue<Int>(
            leasesFrom: Observed(places: places),
            named: { key in
                places.add(.current)
                return "\(key)"
            }, leasesOn: scheduler)
        #expect(try await queue[1].on(.background).enqueue { Future(1) }.value == 1)
        try await queue.drained().value
        #expect(places.entries == [scheduler, scheduler, scheduler])
    }

    @Test func `a provider that blocks for one key does not keep others waiting`() async throws {
        let (blocking, called) = (Signal(), Log<String>())
        let leases = Observed(places: nil) { name in
            called.add(name)
            if name == "1" { _ = blocking.comes() } else { blocking.send() }
        }
        let queue = KeyedFutureQueue<Int>(leasesFrom: leases, named: { "\($0)" })
        queue.pause()
        let futures = [1, 2].map { key in queue[key].on(.background).enqueue { Future(key) } }
        queue.resume()
        #expect(try await join(futures).value == [1, 2] && called.entries.sorted() == ["1", "2"])
    }

    @Test
    func `a request is made before the callback that enqueues the operation returns, however deep callbacks nest`() {
        let queue = FutureQueue(leasesFrom: Observed(), named: "a")
        let ran = Signal()
        @Sendable func nest(_ depth: Int) -> Future<Bool> {
            Future(depth).flatMap(on: .immediate) { depth in
                if depth < 40 { return nest(depth + 1) }
                queue.on(.background).enqueue { Future(ran.send()) }
                return Future(ran.comes())
            }
        }
        #expect(nest(0).success == true)
        let inner = Log<Bool>()
        @Sendable func call(_ depth: Int) {
            Future(depth).onValue(on: .immediate) { depth in
                if depth < 40 { return call(depth + 1) }
                queue.on(.background).enqueue { Future(ran.send()) }
                inner.add(ran.comes())
            }
        }
        call(0)
        #expect(inner.entries == [true])
    }

    @Test func `the start that a cancelled operation gives back to a rate is used while its lease is awaited`() {
        let (time, provider) = (VirtualTime(), SlowLeases(isKept: true))
        let queue = KeyedFutureQueue<Int>(
            leasesFrom: provider, named: { "\($0)" }, rate: RateLimit(1, per: .seconds(3), on: time.scheduler),
            leasesOn: .immediate)
        let first = queue[1].on(.immediate).enqueue { Future(1) }
        let second = queue[2].on(.immediate).enqueue { Future(2) }
        #expect(provider.requests.entries.count == 1)
        first.cancel()
        guard provider.requests.entries.count == 2 else {
            Issue.record("the second operation has not asked for its lease")
            return
        }
        provider.requests.entries[1].succeed(OuterLease(name: "2", token: 1))
        #expect(second.success == 2 && queue.runningCount == 1)
        provider.requests.entries[0].succeed(OuterLease(name: "1", token: 1))
        #expect(queue.isEmpty && provider.released.entries == [1, 1])
    }

    @Test func `a lock whose lease is not granted at once is not available, and the request is cancelled`() {
        let leases = MemoryLeases()
        let locks = (0..<2).map { _ in lock(leases) }
        let permit = locks[0].acquireIfAvailable()
        #expect(permit != nil && locks[1].acquireIfAvailable() == nil && locks[1].isEmpty)
        permit?.release()
        #expect(locks[1].acquireIfAvailable() != nil && leases.heldCount == 0)
    }

    @Test func `a time limit of waiting includes the wait for the lease`() {
        let (leases, time) = (MemoryLeases(), VirtualTime())
        let (other, queue) = (lock(leases), self.queue(leases))
        let permit = other.acquire().success
        let future = queue.on(time.scheduler).enqueue(with: .waitTimeout(.seconds(2))) { Future(1) }
        time.advance(by: .seconds(2))
        #expect(throws: QueueError.waitTimedOut(after: .seconds(2))) { try future.result?.get() }
        #expect(queue.isEmpty)
        permit?.release()
        #expect(leases.heldCount == 0)
    }

    @Test func `if the provider fails, the operation fails with its error, and the next one asks again`() {
        let leases = MemoryLeases()
        let queue = self.queue(leases)
        leases.failNext(2)
        let futures = (0..<3).map { number in queue.on(.immediate).enqueue { Future(number) } }
        #expect(futures.map { $0.error is MemoryLeases.Failed } == [true, true, false])
        #expect(futures[2].success == 2 && leases.log == ["+a1", "-a1"] && queue.isEmpty)
    }

    @Test func `a failed release is reported, and the next operation starts all the same`() {
        let leases = MemoryLeases()
        let queue = self.queue(leases)
        let log = Log<String>()
        queue.onCleanupFailure { log.add("\($0)") }
        leases.failNextRelease()
        let futures = (0..<2).map { number in queue.on(.immediate).enqueue { Future(number) } }
        #expect(futures.map(\.success) == [0, 1] && log.entries == ["Failed()"])
    }

    @Test func `keys have leases of their own, and their operations run side by side`() {
        let leases = MemoryLeases()
        let queue = KeyedFutureQueue<Int>(leasesFrom: leases, named: { "k\($0)-" }, leasesOn: .immediate)
        let gate = Promise<Void>()
        for key in [1, 2, 1] { queue[key].on(.immediate).enqueue { gate.future } }
        #expect(leases.log == ["+k1-1", "+k2-2"] && queue.runningCount == 2)
        gate.succeed()
        #expect(leases.log.sorted() == ["+k1-1", "+k1-3", "+k2-2", "-k1-1", "-k1-3", "-k2-2"] && queue.isEmpty)
    }

    @Test func `a batch, a permit and an asynchronous operation have one lease for their whole turn`() async throws {
        let leases = MemoryLeases()
        let queue = self.queue(leases)
        let batch = queue.on(.immediate).enqueueBatch { batch in
            for _ in 0..<3 { batch.on(.immediate).enqueue { Future(1) } }
            return batch.on(.immediate).enqueue { Future(2) }
        }
        #expect(batch.success == 2 && leases.log == ["+a1", "-a1"])
        let mutex = lock(leases)
        let permit = mutex.acquire().success
        #expect(leases.heldCount == 1 && mutex.lease?.token == 2)
        permit?.release()
        #expect(leases.heldCount == 0)
        let value = try await queue.run {
            await Task.yield()
            return queue.lease?.token
        }.value
        #expect(value == 3)
        try await queue.drained().value
        #expect(leases.heldCount == 0)
    }

    @Test func `a queue is not empty before its last lease is released, also if the queue itself is released`() {
        let provider = SlowLeases(isReleasing: false)
        var queue: FutureQueue<Void>? = FutureQueue(leasesFrom: provider, named: "a", leasesOn: .immediate)
        let future = queue!.on(.immediate).enqueue { Future(1) }
        let drained = queue!.drained()
        queue = nil
        provider.requests.entries[0].succeed(OuterLease(name: "a", token: 1))
        #expect(future.success == 1 && !drained.isCompleted)
        provider.releasing.entries[0].succeed()
        #expect(drained.isCompleted)
    }

    @Test func `a chain shows that an operation waits for its lease`() {
        let leases = MemoryLeases()
        let (other, queue) = (lock(leases), self.queue(leases))
        let permit = other.acquire().success
        let future = queue.on(.immediate).enqueue { Future(1) }
        #expect("\(future.chain)".hasSuffix("waiting for the outer lease \"a\""), "\(future.chain)")
        permit?.release()
    }
}
