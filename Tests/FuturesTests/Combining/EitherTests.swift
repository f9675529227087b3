// Either: one of two values.

import Futures
import Testing

@Suite struct EitherTests {
    private let left = Either<Int, String>.left(1)
    private let right = Either<Int, String>.right("a")

    @Test func `an either has the value of its side, and nil for the other side`() {
        #expect(left.left == 1 && left.right == nil)
        #expect(right.right == "a" && right.left == nil)
        // A side whose value is nil is still present.
        #expect(Either<Int?, Int>.left(nil).left == .some(nil))
    }

    @Test func `an either with one type for both sides has the value of either side`() {
        #expect(Either<Int, Int>.left(1).any == 1)
        #expect(Either<Int, Int>.right(2).any == 2)
        #expect(select(Future(1), or: Future<Int>.never).map(on: .immediate) { $0.any }.success == 1)
    }
}
