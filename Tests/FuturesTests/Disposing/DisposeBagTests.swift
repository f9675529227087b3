// DisposeBag: disposes its contents together. Contract/Life.md

import Futures
import Testing

@Suite struct DisposeBagTests {
    private let bag = DisposeBag(), log = Log<Int>()

    @Test func `a bag disposes its contents once, in the order in which they were added`() {
        bag += { log.add(0) }
        Disposer { log.add(1) }.store(in: bag)
        bag += { log.add(2) }
        bag += Optional.some(Disposer { log.add(3) })
        bag += Disposer?.none
        bag.add(Disposer { log.add(4) })
        #expect(!bag.isEmpty && log.entries == [])
        bag.dispose()
        bag.dispose()
        #expect(log.entries == [0, 1, 2, 3, 4])
        #expect(bag.isEmpty)
    }

    @Test func `a bag that is released disposes its contents`() {
        let calls = Shared(0)
        var bag: DisposeBag? = DisposeBag()
        bag! += { calls.increment() }
        bag = nil
        #expect(calls.value == 1)
    }

    @Test func `an object added to a disposed bag is disposed immediately`() {
        let log = Log<String>()
        bag.dispose()
        bag += { log.add("closure") }
        bag += Disposer { log.add("disposer") }
        let promise = Promise<Int>()
        bag += promise.future
        #expect(log.entries == ["closure", "disposer"])
        #expect(promise.future.isCancelled)
        #expect(bag.isEmpty)
    }

    @Test func `an object that a dispose adds to its bag is disposed too`() {
        bag += {
            log.add(1)
            bag += { log.add(2) }
            bag.dispose()
        }
        bag += { log.add(3) }
        bag.dispose()
        #expect(log.entries.sorted() == [1, 2, 3])
        #expect(bag.isEmpty)
    }

    @Test func `a bag in a bag is disposed with it, in its place`() {
        let inner = DisposeBag()
        inner += { log.add(1) }
        bag += inner
        bag += { log.add(2) }
        bag.dispose()
        #expect(log.entries == [1, 2])
        #expect(inner.isEmpty)
    }

    @Test func `a bag cancels its futures, and releases those that complete`() {
        let (first, second) = (Promise<Int>(), Promise<Int>())
        bag += first.future
        bag += second.future.disposable
        first.succeed(1)
        #expect(!bag.isEmpty)
        bag.dispose()
        #expect(first.future.success == 1)
        #expect(second.future.isCancelled)
    }
}
