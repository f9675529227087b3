// map, mapResult: a closure transforms a result. Contract/Operators.md

import Futures
import Testing

@Suite struct FutureMapTests {
    private let one = Future(1), failed = Future<Int>(error: Oops(1))

    @Test func `map transforms a value and passes errors on`() {
        #expect(one.map(on: .immediate) { "\($0)" }.success == "1")
        #expect(failed.map(on: .immediate) { "\($0)" }.error as? Oops == Oops(1))
        #expect(one.map(on: .immediate) { _ in throw Oops(2) }.error as? Oops == Oops(2))
    }
}
