// reduceToFuture: many values become one. Contract/Combining.md

import Futures
import Testing

@Suite struct ReduceTests {
    @Test func `reduceToFuture combines the elements serially, each with the previous result`() {
        let gates = Gates(4)
        let text = (0..<4).reduceToFuture(on: .immediate, "") { text, number in
            gates.begin(number).map(on: .immediate) { text + "\($0)" }
        }
        gates.succeed(3, 0)
        #expect(gates.begun.entries == [0, 1])
        gates.succeed(1, 2)
        #expect(text.success == "0123")
    }

    @Test func `the first error, throw or cancel ends a reduceToFuture`() {
        let log = Log<Int>()
        let failed = (0..<5).reduceToFuture(on: .immediate, 0) { sum, number -> Future<Int> in
            log.add(number, returning: number == 2 ? Future(error: Oops(2)) : Future(sum + number))
        }
        #expect(failed.error as? Oops == Oops(2))
        #expect(log.entries == [0, 1, 2])
        let threw = (0..<5).reduceToFuture(on: .immediate, 0) { sum, number -> Future<Int> in
            if number == 3 { throw Oops(3) }
            return Future(sum + number)
        }
        #expect(threw.error as? Oops == Oops(3))
        let gates = Gates(2)
        let cancelled = (0..<2).reduceToFuture(on: .immediate, 0) { _, number in gates.begin(number) }
        gates.succeed(0)
        cancelled.cancel()
        #expect(gates.promises[1].future.isCancelled)
    }
}
