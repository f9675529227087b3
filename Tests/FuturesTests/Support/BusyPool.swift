// BusyPool: a pool whose resources are in use, and some of which cannot be closed.

import Futures
import FuturesTesting

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
            pool.enqueue(on: .immediate) { _ in promise.future }
            return promise
        }
        time.run()
    }

    /// Adds an operation that logs its name and resource.
    @discardableResult
    func enqueue(_ name: String, until end: Future<Void> = Future()) -> Future<Void> {
        let got = got
        let future = pool.enqueue(on: .immediate) { resource in
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
