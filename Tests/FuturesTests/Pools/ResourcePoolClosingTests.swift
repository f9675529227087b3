// Pools: closing of resources. Contract/Pools.md

import Futures
import FuturesTesting
import Testing

extension ResourcePoolTests {
    @Test func `with an idleTimeout of zero, each operation has a resource, closed before the next one`() {
        let log = Log<String>()
        let pool = ResourcePool(maxCount: 1, idleTimeout: .zero, on: time.scheduler) { [factory] in
            factory.make().onValue(on: .immediate) { log.add("creates \($0)") }
        } close: { resource in
            Future(log.add("closes \(resource)"))
        }
        for _ in 0..<2 { _ = pool.on(.immediate).run { log.add("uses \($0)") } }
        time.run()
        #expect(log.entries == (1...2).flatMap { ["creates \($0)", "uses \($0)", "closes \($0)"] })
    }

    @Test func `resources that are idle for too long are closed`() {
        let pool = ResourcePool(
            maxCount: 3, idleTimeout: .seconds(10), on: time.scheduler, create: factory.make, close: factory.close)
        for _ in 0..<3 { pool.on(.immediate).enqueue { [gate] _ in gate.future } }
        time.run()
        gate.succeed()
        #expect(pool.idleCount == 3)
        // One of them, the last one, is used now and then.
        for _ in 0..<4 {
            time.advance(by: .seconds(6))
            _ = pool.on(.immediate).run { $0 }
            time.run()
        }
        #expect(factory.open.value.count == 1)
        time.advance(by: .seconds(20))
        #expect(factory.open.value == [])
        #expect(time.pendingCount == 0)
        _ = pool.on(.immediate).run { $0 }
        time.run()
        #expect(factory.open.value == [4])
    }

    @Test func `closing a pool waits for the resources in use and closes all resources`() {
        let (pool, gates) = (pool(2), [Promise<Void>(), Promise<Void>()])
        for gate in gates { pool.on(.immediate).enqueue { _ in gate.future } }
        let waiting = pool.on(.immediate).run { $0 }
        let (closed, cancelled) = (pool.close(), pool.close())
        // It closes, although the future of the closing is cancelled.
        cancelled.cancel()
        #expect(pool.on(.immediate).run { $0 }.error as? QueueError == .closed)
        gates[0].succeed()
        #expect(waiting.success == 1)
        #expect(!closed.isCompleted)
        #expect(factory.open.value == [1, 2])
        gates[1].succeed()
        #expect(closed.isCompleted)
        #expect(factory.open.value == [])
    }

    @Test func `a resource is closed even if its pool's scheduler is blocked for longer than a call may take`() async {
        let (scheduler, gate, isClosed) = (Scheduler(label: "blocked"), Signal(), Promise<Void>())
        let pool = ResourcePool(maxCount: 1, callTimeout: .milliseconds(20), on: scheduler) {
            Future(1)
        } close: { _ in
            Future(isClosed.succeed()).asVoid()
        }
        _ = await pool.run { $0 }.arrival()
        scheduler.async { _ = gate.comes() }
        let closed = pool.close()
        _ = await Future<Int>.never.timeout(after: .milliseconds(40)).arrival()
        #expect(!closed.isCompleted)
        gate.send()
        _ = await closed.arrival()
        #expect(isClosed.future.isCompleted)
    }
}
