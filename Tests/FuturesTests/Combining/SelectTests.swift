// select: the first result of several futures; Either. Contract/Combining.md

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

@Suite struct EitherTests {
    private let left = Either<Int, String>.left(1), right = Either<Int, String>.right("a")

    @Test func `an either has the value of its side, and nil for the other side`() {
        #expect(left.left == 1 && left.right == nil)
        #expect(right.right == "a" && right.left == nil)
        // A side whose value is nil is still present.
        #expect(Either<Int?, Int>.left(nil).left == .some(nil))
    }
}
