// Pools: operations that wait for a resource while others are being closed. Contract/Pools.md

import Futures
import FuturesTesting
import Testing

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

    @Test func `an operation that is cancelled while it waits for a resource gives back its turn`() {
        let busy = BusyPool(2, isChecked: true, closing: 1...2)
        busy.giveBack(1)
        busy.giveBack(2)
        let (first, second) = (busy.enqueue("first"), busy.enqueue("second"))
        #expect(busy.pool.takenCount == 2)
        first.cancel()
        second.cancel()
        #expect(busy.pool.takenCount == 0)
        busy.enqueue("third")
        busy.closed.succeed()
        busy.time.run()
        #expect(busy.got.entries == ["third 3"])
        #expect(busy.pool.takenCount == 0)
        #expect(busy.pool.idleCount == 1)
    }
}
