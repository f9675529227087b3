// forEachToFuture: a callback for each result. Contract/Combining.md

import Futures
import Testing

@Suite struct SequenceForEachToFutureTests {
    @Test func `forEachToFuture reports results with their elements, in the order of completion`() {
        let (gates, told) = (Gates(4), Log<String>())
        let end = (0..<4).forEachToFuture(on: .immediate, maxConcurrentCount: 3) { number in
            if number == 3 { throw Oops(3) }
            return gates.begin(number)
        } onResult: { number, result in
            told.add("\(number) \((try? result.get()).map { "\($0)" } ?? "failed")")
        }
        #expect(told.entries == [])
        gates.succeed(1)
        #expect(told.entries == ["1 1", "3 failed"])
        gates.fail(2)
        #expect(!end.isCompleted)
        gates.succeed(0)
        #expect(told.entries == ["1 1", "3 failed", "2 failed", "0 0"])
        #expect(end.success != nil)
    }

    @Test func `an error thrown by onResult ends the traversal and cancels the elements in progress`() {
        let gates = Gates(5)
        let end = (0..<5).forEachToFuture(on: .immediate, maxConcurrentCount: 2) {
            gates.begin($0)
        } onResult: { _, result in
            _ = try result.get()
        }
        gates.succeed(0)
        gates.fail(1)
        #expect(end.error as? Oops == Oops(1))
        #expect(gates.promises[2].future.isCancelled)
        #expect(gates.begun.entries == [0, 1, 2])
    }
}
