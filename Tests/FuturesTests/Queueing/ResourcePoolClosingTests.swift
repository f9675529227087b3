// Pools: health checks, and closing of resources. Contract/Pools.md

import Dispatch
import Futures
import FuturesTesting
import Testing

extension ResourcePoolTests {
    @Test func `a resource that is being closed counts toward the limit until it is closed`() {
        let (factory, time, closed) = (Factory(), VirtualTime(), Promise<Void>())
        let pool = ResourcePool(
            maxCount: 1, idleTimeout: .seconds(1), on: time.scheduler, create: factory.make,
            close: { resource in closed.future.onValue(on: .immediate) { _ = factory.close(resource) } })
        pool.on(.immediate).enqueue { Future($0) }
        time.advance(by: .seconds(2))
        #expect(pool.idleCount == 0)
        let next = pool.on(.immediate).enqueue { Future($0) }
        time.run()
        #expect(!next.isCompleted)
        closed.succeed()
        time.run()
        #expect(next.success == 2)
        #expect(factory.most.value == 1)
    }

    @Test
    func `with an idleTimeout of zero each operation has a resource of its own, closed before the next one is created`()
    {
        let (factory, time, log) = (Factory(), VirtualTime(), Log<String>())
        let pool = ResourcePool(maxCount: 1, idleTimeout: .zero, on: time.scheduler) {
            factory.make().onValue(on: .immediate) { log.add("creates \($0)") }
        } close: { resource in
            log.add("closes \(resource)")
            return factory.close(resource)
        }
        let ends = (0..<2).map { _ in
            pool.on(.immediate).enqueue { resource in
                log.add("uses \(resource)")
                return Future(resource)
            }
        }
        time.run()
        #expect(ends.map(\.success) == [1, 2])
        #expect(log.entries == ["creates 1", "uses 1", "closes 1", "creates 2", "uses 2", "closes 2"])
    }

    @Test func `resources that are idle for too long are closed`() {
        let (factory, time) = (Factory(), VirtualTime())
        let pool = ResourcePool(
            maxCount: 3, idleTimeout: .seconds(10), on: time.scheduler, create: factory.make, close: factory.close)
        let gate = Promise<Void>()
        for _ in 0..<3 { pool.on(.immediate).enqueue { _ in gate.future } }
        time.run()
        gate.succeed()
        #expect(pool.idleCount == 3)
        // One of them, the last one, is used now and then.
        for _ in 0..<4 {
            time.advance(by: .seconds(6))
            pool.on(.immediate).enqueue { Future($0) }
            time.run()
        }
        #expect(pool.idleCount == 1)
        #expect(factory.open.value.count == 1)
        time.advance(by: .seconds(20))
        #expect(factory.open.value == [])
        #expect(time.pendingCount == 0)
        #expect(pool.on(.immediate).enqueue { Future($0) }.success == nil)
        time.run()
        #expect(factory.open.value == [4])
    }

    @Test func `closing a pool waits for the resources in use and closes all resources`() {
        let factory = Factory()
        let pool = pool(factory)
        let gates = [Promise<Void>(), Promise<Void>()]
        let futures = gates.map { gate in
            pool.on(.immediate).enqueue { resource in gate.future.map(on: .immediate) { resource } }
        }
        let waiting = pool.on(.immediate).enqueue { Future($0) }
        pool.on(.immediate).enqueue { _ in Future<Int>.never }.cancel()
        let closed = pool.close()
        #expect(pool.on(.immediate).enqueue { Future($0) }.error as? QueueError == .closed)
        gates[0].succeed()
        #expect(waiting.success == 1)
        #expect(!closed.isCompleted)
        #expect(factory.open.value == [1, 2])
        gates[1].succeed()
        #expect(futures.map(\.success) == [1, 2])
        #expect(closed.isCompleted)
        #expect(factory.open.value == [])
        #expect(pool.close().isCompleted)
    }

    @Test func `closing a pool closes all resources even if the future of the closing is cancelled`() {
        let factory = Factory()
        let pool = pool(factory)
        let gate = Promise<Void>()
        pool.on(.immediate).enqueue { _ in gate.future }
        let closed = pool.close()
        closed.cancel()
        #expect(closed.isCancelled)
        gate.succeed()
        #expect(factory.open.value == [])
    }

    @Test func `closing a pool waits for the closing of its resources and ignores their errors`() {
        let gate = Promise<Void>()
        let pool = ResourcePool(
            maxCount: 2, callTimeout: testTimeout, on: .immediate, create: { Future(1) }, close: { _ in gate.future })
        pool.on(.immediate).enqueue { Future($0) }
        let closed = pool.close()
        #expect(!closed.isCompleted)
        gate.fail(Oops())
        #expect(closed.success != nil)
    }

    @Test func `an unreferenced pool closes its resources when those in use have been returned`() {
        let factory = Factory()
        let gate = Promise<Void>()
        do {
            let pool = pool(factory)
            pool.on(.immediate).enqueue { _ in gate.future }
            pool.on(.immediate).enqueue { Future($0) }
        }
        #expect(factory.open.value == [1, 2])
        gate.succeed()
        #expect(factory.open.value == [])
    }
}
