// join: all of several futures.

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
        #expect(all.value.map { $0 == (1, "2", true) } == true)

        let list = (0..<10).map { _ in Promise<Int>() }
        let joined = join(list.map(\.future))
        for index in list.indices.reversed() { list[index].succeed(index) }
        #expect(joined.value == Array(0..<10))
        #expect(join([Future<Int>]()).value == [])
    }

    @Test func `the first error fails a join at once, and cancels the others`() {
        let (a, b) = (Promise<Int>(), Promise<Int>())
        let (first, second) = (a.future.map(on: .immediate) { $0 }, b.future.map(on: .immediate) { $0 })
        let all = join(first, second)
        b.fail(Oops(1))
        #expect(all.error as? Oops == Oops(1))
        #expect(first.isCancelled && a.future.isCancelled)
    }

    @Test func `without cancelNonCompleted the others go on`() {
        let (a, b) = (Promise<Int>(), Promise<Int>())
        let all = join([a.future, b.future], cancelNonCompleted: false)
        b.fail(Oops(1))
        #expect(all.error as? Oops == Oops(1))
        #expect(a.succeed(1))
    }

    @Test func `a cancelled join cancels its futures, but for those that others listen to`() {
        let (a, b) = (Promise<Int>(), Promise<Int>())
        let heard = Log<Int>()
        b.future.onValue(on: .immediate) { heard.add($0) }
        join(a.future, b.future).cancel()
        #expect(a.future.isCancelled)
        b.succeed(1)
        #expect(heard.entries == [1])
    }
}
