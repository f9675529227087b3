// Pools: operations that wait for a resource while others are being closed. Contract/Pools.md

import Futures
import FuturesTesting
import Testing

/// A pool of resources 1 to `count`, all of which are in use. The close of the first ones never ends.
struct BusyPool {
    let pool: ResourcePool<Int>
    let time = VirtualTime()
    let users: [Promise<Void>]
    let got = Log<String>()
    let closed = Promise<Void>()

    init(_ count: Int, isChecked: Bool, closing: ClosedRange<Int> = 1...1) {
        let (factory, closed) = (ResourcePoolTests.Factory(), closed)
        let check: (@Sendable (Int) -> Future<Bool>)? = isChecked ? { @Sendable in Future(!closing.contains($0)) } : nil
        pool = ResourcePool(
            maxCount: count, idleTimeout: .seconds(10), on: time.scheduler, create: factory.make, check: check,
            close: { _ in closed.future })
        let pool = pool
        users = (0..<count).map { _ in
            let promise = Promise<Void>()
            pool.on(.immediate).enqueue { _ in promise.future }
            return promise
        }
        time.run()
    }

    /// Adds an operation that logs its name and resource.
    @discardableResult
    func enqueue(_ name: String, until end: Future<Void> = Future()) -> Future<Void> {
        let got = got
        let future = pool.on(.immediate).enqueue { resource in
            got.add("\(name) \(resource)")
            return end
        }
        time.run()
        return future
    }

    /// The user of a resource gives it back.
    func giveBack(_ resource: Int) {
        users[resource - 1].succeed()
        time.run()
    }
}

extension ResourcePoolTests {
    @Test(arguments: [true, false])
    func `an operation that waits for a resource to be closed gets one that is given back before`(_ isChecked: Bool) {
        let busy = BusyPool(2, isChecked: isChecked)
        busy.giveBack(1)
        // Without a check, the resource expires.
        if !isChecked { busy.time.advance(by: .seconds(20)) }
        let end = Promise<Void>()
        busy.enqueue("first", until: end.future)
        busy.enqueue("second")
        #expect(busy.got.entries == [])
        busy.giveBack(2)
        #expect(busy.got.entries == ["first 2"])
        end.succeed()
        busy.time.run()
        #expect(busy.got.entries == ["first 2", "second 2"])
        #expect(busy.pool.idleCount == 1)
        // The place of the closed resource is free again.
        busy.closed.succeed()
        busy.time.run()
        busy.enqueue("third", until: .never)
        busy.enqueue("fourth")
        #expect(busy.got.entries == ["first 2", "second 2", "third 2", "fourth 3"])
    }

    @Test func `operations get the resources that are given back in the order in which they wait`() {
        let busy = BusyPool(4, isChecked: true, closing: 1...2)
        busy.giveBack(1)
        busy.giveBack(2)
        busy.enqueue("first", until: .never)
        busy.enqueue("second", until: .never)
        busy.giveBack(4)
        busy.giveBack(3)
        #expect(busy.got.entries == ["first 4", "second 3"])
    }
}
