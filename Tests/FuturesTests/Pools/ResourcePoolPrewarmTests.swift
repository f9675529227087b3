// Resources of a pool that are created before they are needed. Contract/Pools.md

import Futures
import FuturesTesting
import Testing

@Suite struct ResourcePoolPrewarmTests {
    private let created = Log<Promise<Int>>()
    private let closed = Log<Int>()

    private func pool(_ maxCount: Int) -> ResourcePool<Int> {
        ResourcePool(maxCount: maxCount, callTimeout: testTimeout, on: .immediate) { [created] in
            let promise = Promise<Int>()
            created.add(promise)
            return promise.future
        } close: { [closed] in
            closed.add($0)
            return Future()
        }
    }

    @Test func `a pool creates as many resources as are wanted, concurrently, and they are reused`() {
        let pool = pool(4)
        let warm = pool.prewarm(3)
        #expect(created.count == 3)
        #expect(!warm.isCompleted)
        for (index, promise) in created.entries.enumerated() { promise.succeed(index) }
        #expect(warm.success != nil)
        #expect([pool.idleCount, pool.runningCount] == [3, 0])
        #expect(pool.on(.immediate).run { $0 }.success == 2)
        #expect(created.count == 3)
    }

    @Test func `resources that a pool has already, idle or lent, count`() {
        let (pool, gate) = (pool(9), Promise<Void>())
        pool.on(.immediate).enqueue { _ in gate.future }
        created.entries[0].succeed(0)
        let warm = pool.prewarm(3)
        for promise in created.entries.dropFirst() { promise.succeed(1) }
        #expect(warm.success != nil)
        #expect(pool.idleCount == 2)
        #expect(pool.prewarm(3).success != nil)
        #expect(created.count == 3)
    }

    @Test func `a resource that is created in advance goes to an operation that waits`() {
        let pool = pool(1)
        let warm = pool.prewarm(1)
        let waiting = pool.on(.immediate).enqueue { Future($0 + 1) }
        created.entries[0].succeed(6)
        #expect(warm.success != nil)
        #expect(waiting.success == 7)
        #expect(created.count == 1)
    }

    @Test func `a creation in advance that fails fails the future, and leaves its place free`() {
        let pool = pool(2)
        let warm = pool.prewarm(2)
        created.entries[0].fail(Oops(1))
        #expect(warm.error as? Oops == Oops(1))
        // The other one continues.
        created.entries[1].succeed(5)
        #expect(pool.idleCount == 1)
        pool.prewarm(2)
        #expect(created.count == 3)
    }

    @Test
    func `a creation in advance continues if its future is cancelled, and is cancelled when the pool is closed`() {
        let pool = pool(2)
        let warm = pool.prewarm(2)
        #expect(warm.cancel())
        created.entries[0].succeed(1)
        #expect(pool.idleCount == 1)
        #expect(pool.close().isCompleted)
        #expect(closed.entries == [1])
        #expect(created.entries[1].future.isCancelled)
        #expect(throws: QueueError.closed) { try pool.prewarm(1).result?.get() }
    }
}
