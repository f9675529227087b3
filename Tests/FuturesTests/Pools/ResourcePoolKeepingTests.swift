// Pools: how many resources a pool keeps, how long each is used, and permits of them. Contract/Pools.md

import Futures
import FuturesTesting
import Testing

extension ResourcePoolTests {
    private func pool(
        _ maxCount: Int, minIdleCount: Int = 0, idleTimeout: Duration? = nil, maxAge: Duration? = nil
    ) -> ResourcePool<Int> {
        ResourcePool(
            maxCount: maxCount, minIdleCount: minIdleCount, idleTimeout: idleTimeout, maxAge: maxAge,
            on: time.scheduler, create: factory.make, close: factory.close)
    }

    @Test func `a pool that becomes smaller closes idle resources, and those in use when they are given back`() {
        let (pool, gates) = (pool(3), (0..<3).map { _ in Promise<Void>() })
        for gate in gates { pool.on(.immediate).enqueue { _ in gate.future } }
        gates[0].succeed()
        pool.maxCount = 1
        #expect(factory.open.value == [2, 3])
        gates[1].succeed()
        #expect(factory.open.value == [3])
        gates[2].succeed()
        #expect(factory.open.value == [3])
        #expect([pool.maxCount, pool.idleCount] == [1, 1])
    }

    @Test func `a pool that becomes greater creates resources for operations that wait`() {
        let pool = pool(1)
        pool.on(.immediate).enqueue { [gate] _ in gate.future }
        let next = pool.on(.immediate).run { $0 }
        #expect(!next.isCompleted)
        pool.maxCount = 2
        #expect(next.success == 2)
    }

    @Test func `a pool keeps minIdleCount resources ready while others are in use, and after its idleTimeout`() {
        let pool = pool(3, minIdleCount: 2, idleTimeout: .seconds(60))
        time.run()
        #expect(pool.idleCount == 2)
        pool.on(.immediate).enqueue { [gate] _ in gate.future }
        time.run()
        #expect([pool.runningCount, pool.idleCount] == [1, 2])
        pool.on(.immediate).enqueue { [gate] _ in gate.future }
        time.run()
        #expect([pool.runningCount, pool.idleCount] == [2, 1])
        gate.succeed()
        time.advance(by: .seconds(120))
        #expect([pool.runningCount, pool.idleCount] == [0, 2])
        #expect(factory.made.value == 3)
    }

    @Test func `a creation in advance that fails is tried again when time has passed, or the pool is used`() {
        let calls = Shared(0)
        let pool = ResourcePool(maxCount: 2, minIdleCount: 1, idleTimeout: .seconds(60), on: time.scheduler) {
            calls.increment() < 4 ? Future(error: Oops(calls.value)) : Future(7)
        }
        time.run()
        #expect(calls.value == 1)
        time.advance(by: .seconds(60))
        #expect(calls.value == 2)
        // For this operation and in advance; one of them fails, and is replaced when the other one has succeeded.
        let used = pool.on(time.scheduler).run { $0 }
        time.run()
        #expect(used.success == 7)
        #expect([calls.value, pool.idleCount] == [5, 2])
    }

    @Test func `a resource that is too old is closed when it is given back, or while it is idle`() {
        let pool = pool(2, maxAge: .seconds(3600))
        pool.on(.immediate).enqueue { [gate] _ in gate.future }
        time.advance(by: .seconds(1800))
        _ = pool.on(.immediate).run { $0 }
        time.advance(by: .seconds(1800))
        #expect(factory.open.value == [1, 2])
        gate.succeed()
        time.run()
        #expect(factory.open.value == [2])
        time.advance(by: .seconds(1800))
        #expect(factory.open.value == [])
        #expect(time.pendingCount == 0)
    }

    @Test func `a resource that has served maxUseCount operations is closed`() {
        let pool = ResourcePool(
            maxCount: 1, callTimeout: testTimeout, maxUseCount: 2, on: .immediate, create: factory.make,
            close: factory.close)
        #expect((0..<4).map { _ in use(pool) } == [1, 1, 2, 2])
        #expect(factory.open.value == [])
    }

    @Test func `resources that are discarded are closed, those in use when they are given back`() {
        let (pool, other) = (pool(2), Promise<Void>())
        pool.on(.immediate).enqueue { [gate] resource in
            pool.discard { $0 == resource }
            return gate.future
        }
        pool.on(.immediate).enqueue { _ in other.future }
        #expect(factory.open.value == [1, 2])
        gate.succeed()
        #expect(factory.open.value == [2])
        other.succeed()
        #expect(pool.idleCount == 1)
        pool.discard { _ in true }
        #expect(factory.open.value == [])
        #expect([pool.idleCount, use(pool)] == [0, 3])
    }

    @Test func `a resource that is discarded is not used if an operation with a turn does not need it`() {
        let (pool, log) = (pool(2), Log<Int>())
        for _ in 0..<2 { pool.on(.immediate).enqueue { [gate] _ in gate.future } }
        time.run()
        gate.succeed()
        // It has its turn, and needs one of the two.
        func enqueue() -> Future<Void> { pool.on(time.scheduler).run { log.add($0) } }
        var turn = enqueue()
        pool.discard { $0 == 2 }
        #expect(pool.idleCount == 0)
        time.run()
        #expect(log.entries == [1])
        // The last one is promised, until its operation is cancelled.
        turn = enqueue()
        pool.discard { _ in true }
        #expect(factory.open.value == [1])
        turn.cancel()
        time.run()
        #expect(factory.open.value == [])
        // An operation that has its turn gets what is not discarded.
        let users = (0..<2).map { _ in Promise<Void>() }
        for user in users { pool.on(.immediate).enqueue { _ in user.future } }
        time.run()
        for user in users { user.succeed() }
        let turns = [enqueue(), enqueue()]
        pool.discard { $0 == 4 }
        turns[0].cancel()
        time.run()
        #expect(log.entries == [1, 3])
        #expect(factory.open.value == [3])
    }

    @Test func `a resource that is discarded is closed while a paused pool has it ready for an operation that waits`() {
        let pool = ResourcePool(
            maxCount: 1, callTimeout: testTimeout, on: .immediate, create: factory.make, check: { _ in Future(true) },
            close: factory.close)
        pool.isPaused = true
        let waiting = pool.on(.immediate).run { $0 }
        pool.discard { $0 == 1 }
        #expect(factory.open.value == [2])
        pool.isPaused = false
        #expect(waiting.success == 2)
    }

    @Test func `a pool that is released while it is paused runs the operations that wait, and closes its resources`() {
        var pool: ResourcePool? = pool(1)
        pool?.isPaused = true
        let waiting = pool?.on(.immediate).run { $0 }
        pool = nil
        time.run()
        #expect(waiting?.success == 1)
        #expect(factory.open.value == [])
    }

    @Test func `a pool that becomes smaller closes what is too much once operations with turns do not need it`() {
        let pool = pool(2)
        for _ in 0..<2 { pool.on(.immediate).enqueue { [gate] _ in gate.future } }
        time.run()
        gate.succeed()
        let turns = (0..<2).map { _ in pool.on(time.scheduler).run { $0 } }
        pool.maxCount = 1
        #expect(factory.open.value == [1, 2])
        for turn in turns { turn.cancel() }
        time.run()
        #expect([pool.idleCount, factory.open.value.count] == [1, 1])
    }

    @Test func `a pool with an idleTimeout of zero creates nothing in advance`() {
        let pool = pool(2, minIdleCount: 1, idleTimeout: .zero)
        time.advance(by: .seconds(1))
        #expect(factory.made.value == 0)
        withExtendedLifetime(pool) {}
    }

    @Test func `an idle resource is too old even if its pool's scheduler is blocked`() async {
        let (scheduler, gate) = (Scheduler(label: "blocked"), Signal())
        let pool = ResourcePool(maxCount: 1, maxAge: .milliseconds(5), on: scheduler) { Future(1) }
        _ = await pool.run { $0 }.arrival()
        scheduler.async { _ = gate.comes() }
        while pool.idleCount > 0 { _ = await Future<Int>.never.timeout(after: .milliseconds(5)).arrival() }
        gate.send()
    }

    @Test func `a permit has a resource until it is released, and a pool that is closed waits for that`() throws {
        let pool = pool(1)
        let permit = try #require(pool.acquire().success)
        #expect(pool[permit] == 1)
        let next = pool.on(.immediate).run { $0 }
        #expect(!next.isCompleted)
        permit.release()
        #expect(next.success == 1)
        // Dropped with its future.
        #expect(pool.acquire().isCompleted)
        let last = try #require(pool.acquire().success)
        let closed = pool.close()
        #expect(!closed.isCompleted)
        last.release()
        #expect(closed.isCompleted)
        #expect(factory.open.value == [])
    }
}
