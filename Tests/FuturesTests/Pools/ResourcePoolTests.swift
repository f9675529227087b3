// Pools: resources that operations share. Contract/Pools.md

import Futures
import FuturesTesting
import Testing

@Suite struct ResourcePoolTests {
    /// Creates numbered resources, and records which are open.
    final class Factory: Sendable {
        let made = Shared(0)
        let open = Shared<Set<Int>>([])
        let most = Shared(0)

        func make() -> Future<Int> {
            let number = made.increment()
            open.change { $0.insert(number) }
            most.change { $0 = max($0, open.value.count) }
            return Future(number)
        }

        func close(_ number: Int) -> Future<Void> {
            #expect(open.change { $0.remove(number) } == number)
            return Future()
        }
    }

    let factory = Factory()
    let time = VirtualTime()
    let gate = Promise<Void>()

    func pool(_ maxCount: Int) -> ResourcePool<Int> {
        ResourcePool(
            maxCount: maxCount, callTimeout: testTimeout, on: .immediate, create: factory.make, close: factory.close)
    }

    /// Returns the resource that an operation gets.
    func use(_ pool: ResourcePool<Int>) -> Int? { pool.on(.immediate).run { $0 }.success }

    @Test func `a pool creates resources on demand, up to its limit, and reuses them`() {
        let (pool, used, gates) = (pool(2), Log<Int>(), (0..<4).map { _ in Promise<Void>() })
        for gate in gates { pool.on(.immediate).enqueue { resource in used.add(resource, returning: gate.future) } }
        #expect(used.entries == [1, 2])
        #expect([pool.runningCount, pool.waitingCount] == [2, 2])
        gates[1].succeed()
        #expect(used.entries == [1, 2, 2])
        for gate in gates { gate.succeed() }
        #expect(used.entries == [1, 2, 2, 1])
        #expect([pool.idleCount, pool.runningCount, factory.made.value] == [2, 0, 2])
    }

    @Test func `a resource is returned when its operation fails, throws or is cancelled`() {
        let pool = pool(1)
        #expect(pool.on(.immediate).enqueue { _ in Future<Int>(error: Oops(1)) }.error as? Oops == Oops(1))
        #expect(pool.on(.immediate).enqueue { _ -> Future<Int> in throw Oops(2) }.error as? Oops == Oops(2))
        let cancelled = pool.on(.immediate).enqueue { _ in Future<Int>.never }
        let next = pool.on(.immediate).run { $0 }
        #expect(next.success == nil)
        cancelled.cancel()
        #expect(next.success == 1)
    }

    @Test func `a resource is returned when the closure that uses it has returned, even after a cancel`() {
        let (pool, handle, log) = (pool(1), Shared<Future<Int>?>(nil), Log<String>())
        handle.value = pool.on(time.scheduler).enqueue { _ in
            handle.value?.cancel()
            _ = pool.on(.immediate).run { _ in log.add("next") }
            log.add("returns")
            return Future(2)
        }
        time.run()
        #expect(log.entries == ["returns", "next"])
        #expect(handle.value?.isCancelled == true)
    }

    @Test func `an unhealthy resource is closed, and another one is created`() {
        let (healthy, checked) = (Shared(true), Log<Int>())
        let pool = ResourcePool(
            maxCount: 1, callTimeout: testTimeout, on: .immediate, create: factory.make,
            check: { resource in
                checked.add(resource)
                if resource == 2 { throw Oops() }
                return Future(healthy.value)
            }, close: factory.close)
        // A new resource is not checked.
        #expect(use(pool) == 1)
        #expect(checked.entries == [])
        #expect(use(pool) == 1)
        healthy.value = false
        #expect([use(pool), use(pool)] == [2, 3])
        #expect(checked.entries == [1, 1, 2])
        #expect(factory.open.value == [3])
        #expect(factory.most.value == 1)
    }

    @Test func `a pool stops its timer when it is released`() {
        let census = Census()
        do {
            let pool = ResourcePool(
                maxCount: 2, callTimeout: testTimeout, idleTimeout: .seconds(60), on: time.scheduler,
                create: { Future(census.make()) })
            for _ in 0..<3 {
                _ = pool.on(.immediate).run { _ in }
                time.run()
                time.advance(by: .seconds(45))
            }
            #expect(time.pendingCount == 1)
        }
        time.run()
        #expect([census.alive, time.pendingCount] == [0, 0])
    }

    @Test(arguments: [false, true])
    func `an operation that waits for another resource of its exhausted pool fails`(isIdle: Bool) {
        let pool = pool(1)
        if isIdle { _ = use(pool) }
        let outer = pool.on(.immediate).enqueue(file: "outer", line: 1) { _ in
            pool.on(.immediate).enqueue(file: "inner", line: 2) { Future($0) }
        }
        expectDeadlocks { pool.runningCount == 0 && pool.idleCount == 1 }
        #expect(
            outer.error as? QueueError == .deadlock(running: .init("outer", line: 1), waiting: .init("inner", line: 2)))
    }
}
