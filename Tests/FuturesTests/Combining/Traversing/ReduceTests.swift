// reduce, reduceToFuture: many values become one. Contract/Traversing.md

import Futures
import FuturesTesting
import Testing

@Suite struct ReduceTests {
    @Test func `reduce combines the values in the order of the futures, not of completion`() {
        let gates = Gates(4)
        let text = reduce(on: .immediate, gates.promises.map(\.future), "") { text, number in text + "\(number)" }
        gates.succeed(2, 3, 1)
        #expect(text.result == nil)
        gates.succeed(0)
        #expect(text.success == "0123")
        #expect(reduce(on: .immediate, [Future<Int>](), 7) { $0 + $1 }.success == 7)
        #expect(reduce(on: .immediate, (1...4).map { Future($0) }, 0, +).success == 10)
    }

    @Test func `the first error fails a reduce immediately and cancels the other futures`() {
        let gates = Gates(3)
        let sum = reduce(on: .immediate, gates.promises.map(\.future), 0) { $0 + $1 }
        gates.fail(2)
        #expect(sum.error as? Oops == Oops(2))
        #expect(gates.promises[0].future.isCancelled)
        #expect(reduce(on: .immediate, [Future(1)], 0) { _, _ in throw Oops(3) }.error as? Oops == Oops(3))
    }

    @Test func `reduceToFuture combines the elements serially, each with the previous result`() {
        let gates = Gates(4)
        let text = (0..<4).reduceToFuture(on: .immediate, "") { text, number in
            gates.begin(number).map(on: .immediate) { text + "\($0)" }
        }
        gates.succeed(3, 0)
        #expect(gates.begun.entries == [0, 1])
        gates.succeed(1, 2)
        #expect(text.success == "0123")
        #expect([Int]().reduceToFuture(on: .immediate, 7) { Future($0 + $1) }.success == 7)
    }

    @Test func `the first error, throw or cancel ends a reduceToFuture`() {
        let log = Log<Int>()
        let failed = (0..<5).reduceToFuture(on: .immediate, 0) { sum, number -> Future<Int> in
            log.add(number)
            return number == 2 ? Future(error: Oops(2)) : Future(sum + number)
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

    @Test func `a repeated reduceToFuture starts with its initial value`() {
        let log = Log<Int>()
        let sum = (1...3).reduceToFuture(on: .immediate, 100) { sum, number in
            log.add(sum)
            if log.count == 3 { throw Oops() }
            return Future(sum + number)
        }.onErrorRepeat(on: .immediate, maxRepetitions: 9) { _ in true }
        #expect(sum.success == 106)
        #expect(log.entries == [100, 101, 103, 100, 101, 103])
    }

    @Test @MainActor func `both reduces call their closures where they were attached`() async {
        var calls = 0
        let later = (1...3).map { number in Future(on: .background, immediate: { number }) }
        let sum = reduce(later, 0) { sum, number in
            calls += 1
            return sum + number
        }
        let product = (1...3).reduceToFuture(1) { product, number in
            calls += 1
            return Future(on: .background, immediate: { product * number })
        }
        #expect((try? await sum.arrival().get()) == 6)
        #expect((try? await product.arrival().get()) == 6)
        #expect(calls == 6)
    }
}
