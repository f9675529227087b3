// select: the first result of several futures. Contract/Combining.md

import Futures
import Testing

@Suite struct SelectTests {
    @Test func `select completes with the first result, even a failure, and cancels the other future`() {
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

    @Test func `without cancelNonCompleted the losers continue, and can be cancelled`() {
        for isPair in [true, false] {
            let promises = [Promise<Int>(), Promise<Int>()]
            let futures = promises.map(\.future)
            let selected =
                isPair
                ? select(futures[0], or: futures[1], cancelNonCompleted: false).map(on: .immediate) { $0.any }
                : select(between: futures, cancelNonCompleted: false)
            promises[1].succeed(2)
            #expect(selected.success == 2 && !futures[0].isCompleted)
            #expect(futures[0].cancel())
            withExtendedLifetime(promises) {}
        }
    }
}
