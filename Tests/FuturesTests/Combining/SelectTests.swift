// select: the first of several futures.

import Futures
import Testing

@Suite struct SelectTests {
    @Test func `the first to complete is selected, a failure included, and the other is cancelled`() {
        let (a, b) = (Promise<Int>(), Promise<String>())
        let first = select(a.future, or: b.future)
        b.succeed("b")
        #expect(first.success == .right("b"))
        #expect(a.future.isCancelled)

        let (c, d) = (Promise<Int>(), Promise<String>())
        let second = select(c.future, or: d.future)
        c.fail(Oops(1))
        #expect(second.error as? Oops == Oops(1))
        #expect(d.future.isCancelled)
        #expect(select(Future(1), or: Future("2")).success == .left(1))
    }

    @Test func `a loser that others listen to goes on`() {
        let (a, b) = (Promise<Int>(), Promise<Int>())
        let heard = Log<Int>()
        b.future.onValue(on: .immediate) { heard.add($0) }
        let selected = select(between: [a.future, b.future])
        a.succeed(1)
        b.succeed(2)
        #expect(selected.success == 1)
        #expect(heard.entries == [2])
    }

    @Test func `selecting from nothing fails`() {
        #expect(select(between: [Future<Int>]()).error as? FutureError == .noFutures)
    }
}
