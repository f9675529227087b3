// Pools: health checks, and closing of resources. Contract/Pools.md

import Dispatch
import Futures
import FuturesTesting
import Testing

extension ResourcePoolTests {
    @Test func `an unhealthy resource is closed even if the request for it was cancelled`() {
        let (factory, time, log) = (Factory(), VirtualTime(), Log<String>())
        let closed = Promise<Void>()
        let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, on: time.scheduler, create: factory.make) { _ in
            Future(false)
        } close: { resource in
            log.add("closes")
            return closed.future.onValue(on: .immediate) { _ = factory.close(resource) }
        }
        pool.on(.immediate).enqueue { Future($0) }
        time.run()
        time.scheduler.perform {
            // The closing has not started yet.
            pool.on(.immediate).enqueue { Future($0) }.cancel()
        }
        let next = pool.on(.immediate).enqueue { Future($0) }
        time.run()
        #expect(log.entries == ["closes"])
        #expect(!next.isCompleted)
        closed.succeed()
        time.run()
        #expect(next.success == 2)
        #expect(factory.most.value == 1)
    }

    @Test func `a closed pool leaves no timer behind`() throws {
        let (factory, time) = (Factory(), VirtualTime())
        let pool = ResourcePool(
            maxCount: 2, idleTimeout: .seconds(60), on: time.scheduler, create: factory.make, close: factory.close)
        pool.on(.immediate).enqueue { Future($0) }
        time.run()
        #expect(pool.idleCount == 1)
        let closed = pool.close()
        time.run()
        #expect(closed.isCompleted)
        try time.checkNothingPending()
    }

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

    @Test func `with an idleTimeout of zero a resource that no operation waits for is closed`() {
        let (factory, time) = (Factory(), VirtualTime())
        let pool = ResourcePool(
            maxCount: 1, idleTimeout: .zero, on: time.scheduler, create: factory.make, close: factory.close)
        let created = pool.prewarm(1)
        time.run()
        #expect(created.isCompleted)
        #expect(factory.made.value == 1)
        #expect(factory.open.value == [])
    }

    @Test func `a healthy idle resource is handed out before an unhealthy one is closed`() {
        let (factory, handedOut, hasHandedOut) = (Factory(), Signal(), Shared(false))
        let scheduler = Scheduler(label: "pool")
        let pool = ResourcePool(
            maxCount: 2, on: scheduler, create: factory.make, check: { Future($0 != 2) },
            close: { resource in
                if resource == 2 { hasHandedOut.value = handedOut.comes() }
                return factory.close(resource)
            })
        let gates = [Promise<Int>(), Promise<Int>()]
        for gate in gates { pool.on(.immediate).enqueue { _ in gate.future } }
        // By now, both operations have their resources.
        scheduler.sync {}
        for gate in gates { gate.succeed(1) }
        #expect(pool.idleCount == 2)
        let next = pool.on(Scheduler(label: "other")).enqueue { resource in
            handedOut.send()
            return Future(resource)
        }
        #expect((try? next.wait()) == 1)
        scheduler.sync {}
        #expect(hasHandedOut.value)
    }

    @Test func `a resource expires in time even if the closing of another one blocks`() {
        let (factory, time, pending) = (Factory(), VirtualTime(), Shared(0))
        let pool = ResourcePool(
            maxCount: 2, idleTimeout: .seconds(10), on: time.scheduler, create: factory.make,
            close: { resource in
                if resource == 1 { pending.value = time.pendingCount }
                return factory.close(resource)
            })
        let gates = [Promise<Int>(), Promise<Int>()]
        for gate in gates { pool.on(.immediate).enqueue { _ in gate.future } }
        time.run()
        gates[0].succeed(1)
        time.advance(by: .seconds(15))
        gates[1].succeed(2)
        time.advance(by: .seconds(5))
        #expect(factory.open.value == [2])
        // The timer of the other resource is already running.
        #expect(pending.value == 1)
        time.advance(by: .seconds(10))
        #expect(factory.open.value == [])
    }

    @Test func `on a concurrent scheduler, a close that blocks holds back no other one`() throws {
        let scheduler = Scheduler(label: "pool", attributes: .concurrent)
        for expires in [true, false] {
            let (begun, isClosed, isOpen) = ([Signal(), Signal()], Signal(), Signal())
            let (made, together) = (Shared(0), Log<Bool>())
            let pool = ResourcePool(
                maxCount: 2, idleTimeout: expires ? .milliseconds(1) : nil, on: scheduler,
                create: { Future(made.increment()) },
                close: { resource in
                    begun[resource - 1].send()
                    together.add(begun[2 - resource].comes())
                    isClosed.send()
                    return Future()
                })
            let gate = Promise<Void>()
            for _ in 0..<2 {
                pool.on(.immediate).enqueue { _ in
                    isOpen.send()
                    return gate.future
                }
            }
            for _ in 0..<2 { #expect(isOpen.comes()) }
            gate.succeed()
            if !expires { scheduler.sync { pool.close() } }
            for _ in 0..<2 { #expect(isClosed.comes()) }
            #expect(together.entries == [true, true], "\(expires)")
            try pool.close().wait(timeout: testTimeout)
        }
    }

    // For the thread sanitizer, which sees the storage of arrays in a release build only.
    @Test func `resources expire while other threads use the pool`() async throws {
        let (made, open, most) = (Shared(0), Shared(0), Shared(0))
        let pool = ResourcePool(
            maxCount: 2, idleTimeout: .microseconds(300), on: .background,
            create: {
                let count = open.increment()
                most.change { $0 = max($0, count) }
                return Future(made.increment())
            },
            check: { _ in Future(true) },
            close: { _ in Future(open.change { $0 -= 1 }) })
        for number in 0..<1000 {
            _ = try await pool.on(.immediate).enqueue { Future($0) }.value
            // About as long as a resource may be idle.
            if number % 3 == 0 { try await Future().delay(by: .microseconds(300), on: .background).value }
        }
        try await pool.close().value
        #expect(made.value > 0 && most.value <= 2 && open.value == 0)
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

    @Test func `a second close of a closing pool waits for all resources too`() {
        let (log, handle) = (Log<String>(), Shared<ResourcePool<Int>?>(nil))
        let gates = [Promise<Int>(), Promise<Int>()]
        let made = Shared(0)
        handle.value = ResourcePool(
            maxCount: 2, on: .immediate, create: { Future(made.increment()) },
            close: { resource in
                handle.value?.close().onValue(on: .immediate) { log.add("closed") }
                log.add("closing \(resource)")
                return Future()
            })
        for gate in gates { handle.value?.on(.immediate).enqueue { _ in gate.future } }
        for gate in gates { gate.succeed(1) }
        handle.value?.close().onValue(on: .immediate) { log.add("closed") }
        #expect(log.entries == ["closing 1", "closing 2", "closed", "closed", "closed"])
        handle.value = nil
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
