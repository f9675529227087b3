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

    func pool(_ factory: Factory, maxCount: Int = 2) -> ResourcePool<Int> {
        ResourcePool(
            maxCount: maxCount, callTimeout: testTimeout, on: .immediate, create: factory.make, close: factory.close)
    }

    @Test func `a pool creates resources on demand, up to its limit, and reuses them`() {
        let factory = Factory()
        let pool = pool(factory)
        let gates = (0..<4).map { _ in Promise<Void>() }
        let used = Log<Int>()
        let futures = gates.map { gate in
            pool.on(.immediate).enqueue { resource in
                used.add(resource)
                return gate.future.map(on: .immediate) { resource }
            }
        }
        #expect(used.entries == [1, 2])
        #expect(pool.runningCount == 2)
        #expect(pool.waitingCount == 2)
        gates[1].succeed()
        #expect(used.entries == [1, 2, 2])
        for gate in gates { gate.succeed() }
        #expect(used.entries == [1, 2, 2, 1])
        #expect(futures.map(\.success) == [1, 2, 2, 1])
        #expect(factory.made.value == 2)
        #expect(pool.idleCount == 2)
        #expect(pool.runningCount == 0)
    }

    @Test func `a resource is returned when its operation fails, throws or is cancelled`() {
        let factory = Factory()
        let pool = pool(factory, maxCount: 1)
        #expect(pool.on(.immediate).enqueue { _ in Future<Int>(error: Oops(1)) }.error as? Oops == Oops(1))
        #expect(pool.on(.immediate).enqueue { _ -> Future<Int> in throw Oops(2) }.error as? Oops == Oops(2))
        let cancelled = pool.on(.immediate).enqueue { _ in Future<Int>.never }
        let next = pool.on(.immediate).enqueue { Future($0) }
        #expect(next.success == nil)
        cancelled.cancel()
        #expect(cancelled.isCancelled)
        #expect(next.success == 1)
        #expect(factory.made.value == 1)
    }

    @Test func `a resource is returned when the closure that uses it has returned, even after a cancel`() {
        let factory = Factory()
        let pool = pool(factory, maxCount: 1)
        let (handle, log, time) = (Shared<Future<Int>?>(nil), Log<String>(), VirtualTime())
        handle.value = pool.on(time.scheduler).enqueue { _ in
            handle.value?.cancel()
            pool.on(.immediate).enqueue { _ in
                log.add("next")
                return Future(1)
            }
            log.add("returns")
            return Future(2)
        }
        time.run()
        #expect(log.entries == ["returns", "next"])
        #expect(handle.value?.isCancelled == true)
    }

    @Test func `an operation fails if its resource cannot be created, and releases its turn`() {
        let fails = Shared(true)
        let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) {
            if fails.value { throw Oops(1) }
            return Future(5)
        }
        #expect(pool.on(.immediate).enqueue { Future($0) }.error as? Oops == Oops(1))
        fails.value = false
        #expect(pool.on(.immediate).enqueue { Future($0) }.success == 5)
    }

    @Test func `an unhealthy resource is closed, and another one is created`() {
        let (factory, healthy, checked) = (Factory(), Shared(true), Log<Int>())
        let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate, create: factory.make) {
            resource in
            checked.add(resource)
            if resource == 2 { throw Oops() }
            return Future(healthy.value)
        } close: {
            factory.close($0)
        }
        func use() -> Int? { pool.on(.immediate).enqueue { Future($0) }.success }
        // A new resource is not checked.
        #expect(use() == 1)
        #expect(checked.entries == [])
        #expect(use() == 1)
        healthy.value = false
        #expect(use() == 2)
        #expect(use() == 3)
        #expect(checked.entries == [1, 1, 2])
        #expect(factory.open.value == [3])
        #expect(factory.most.value == 1)
    }

    @Test func `a pool stops its timer when it is released`() {
        let (time, census) = (VirtualTime(), Census())
        do {
            let pool = ResourcePool(
                maxCount: 2, callTimeout: testTimeout, idleTimeout: .seconds(60), on: time.scheduler
            ) {
                Future(census.make())
            }
            for _ in 0..<3 {
                pool.on(.immediate).enqueue { _ in Future(1) }
                time.run()
                time.advance(by: .seconds(45))
            }
            #expect(time.pendingCount == 1)
        }
        time.run()
        #expect(census.alive == 0)
        #expect(time.pendingCount == 0)
    }

    @Test(arguments: [false, true])
    func `an operation that waits for another resource of its exhausted pool fails`(isIdle: Bool) {
        let pool = pool(Factory(), maxCount: 1)
        if isIdle { pool.on(.immediate).enqueue { Future($0) } }
        let outer = pool.on(.immediate).enqueue(file: "outer", line: 1) { _ in
            pool.on(.immediate).enqueue(file: "inner", line: 2) { Future($0) }
        }
        expectDeadlocks { pool.runningCount == 0 && pool.idleCount == 1 }
        #expect(
            outer.error as? QueueError == .deadlock(running: .init("outer", line: 1), waiting: .init("inner", line: 2)))
        #expect(pool.runningCount == 0)
        #expect(pool.idleCount == 1)
    }

    @Test func `a request for a resource has a time limit`() {
        let (pool, time) = (pool(Factory(), maxCount: 1), VirtualTime())
        let gate = Promise<Int>()
        pool.on(.immediate).enqueue { _ in gate.future }
        let hurried = pool.on(.immediate).enqueue(with: .waitTimeout(.zero)) { Future($0) }
        _ = time
        #expect(throws: QueueError.waitTimedOut(after: .zero)) { try hurried.wait(timeout: testTimeout) }
        gate.succeed(1)
    }
}
