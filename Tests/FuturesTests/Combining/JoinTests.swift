// join: all values of several futures. Contract/Combining.md

import Futures
import Testing

@Suite struct JoinTests {
    @Test func `a join has the values in the order of its arguments`() {
        let (a, b, c) = (Promise<Int>(), Promise<String>(), Promise<Bool>())
        let all = join(a.future, b.future, c.future)
        c.succeed(true)
        a.succeed(1)
        #expect(all.result == nil)
        b.succeed("2")
        #expect(all.success.map { $0 == (1, "2", true) } == true)

        let list = (0..<10).map { _ in Promise<Int>() }
        let joined = join(list.map(\.future))
        for index in list.indices.reversed() { list[index].succeed(index) }
        #expect(joined.success == Array(0..<10))
    }

    @Test func `combining or traversing nothing completes immediately`() {
        let (none, elements, names) = ([Future<Int>](), [Int](), [String: Future<Int>]())
        #expect(join(none).success == [] && join(names).success == [:])
        #expect(Future.settle(none).success?.isEmpty == true)
        #expect(Future.first(0, of: none).success == [])
        #expect(elements.mapToFuture(on: .immediate) { Future($0) }.success == [])
        #expect(elements.forEachToFuture(on: .immediate, { Future($0) }, onResult: { _, _ in }).success != nil)
        #expect(Future(7).abort(forFutures: none).success == 7)
        for failed in [select(between: none), Future.firstSuccess(of: none), Future.first(2, of: none).map { $0[0] }] {
            #expect(failed.error as? FutureError == .noFutures)
        }
    }

    @Test func `the first error fails a join immediately and cancels the other futures`() {
        let (a, b) = (Promise<Int>(), Promise<Int>())
        let (first, second) = (a.future.map(on: .immediate) { $0 }, b.future.map(on: .immediate) { $0 })
        let all = join(first, second)
        b.fail(Oops(1))
        #expect(all.error as? Oops == Oops(1))
        #expect(first.isCancelled && a.future.isCancelled)
    }

    @Test func `without cancelNonCompleted the other futures continue`() {
        let (a, b) = (Promise<Int>(), Promise<Int>())
        let all = join([a.future, b.future], cancelNonCompleted: false)
        b.fail(Oops(1))
        #expect(all.error as? Oops == Oops(1))
        #expect(a.succeed(1))
    }

    @Test func `cancelling a join cancels its futures, except those with other listeners`() {
        let (a, b) = (Promise<Int>(), Promise<Int>())
        let heard = Log<Int>()
        b.future.onValue(on: .immediate) { heard.add($0) }
        join(a.future, b.future).cancel()
        #expect(a.future.isCancelled)
        b.succeed(1)
        #expect(heard.entries == [1])
    }

    @Test func `a join of a dictionary has the values by their keys`() {
        let gates = ["a": Promise<Int>(), "b": Promise<Int>(), "c": Promise<Int>()]
        let all = join(gates.mapValues(\.future))
        gates["b"]!.succeed(2)
        gates["c"]!.succeed(3)
        #expect(all.result == nil)
        gates["a"]!.succeed(1)
        #expect(all.success == ["a": 1, "b": 2, "c": 3])
    }
}
