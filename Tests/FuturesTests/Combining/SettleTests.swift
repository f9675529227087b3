// settle: all results of several futures, including failures. Contract/Combining.md

import Futures
import Testing

@Suite struct SettleTests {
    @Test func `settle has all results in the order of its arguments and does not fail`() throws {
        let (a, b, c) = (Promise<Int>(), Promise<String>(), Promise<Bool>())
        let all = Future.settle(a.future, b.future, c.future)
        b.fail(Oops(2))
        c.future.cancel()
        #expect(all.result == nil && !a.future.isCompleted)
        c.succeed(true)
        a.succeed(1)
        let results = try #require(all.success)
        #expect(try results.0.get() == 1)
        #expect(throws: Oops(2)) { try results.1.get() }
        #expect(try results.2.get())

        let list = (0..<10).map { _ in Promise<Int>() }
        let settled = Future.settle(list.map(\.future))
        for index in list.indices.reversed() {
            list[index].complete(index.isMultiple(of: 2) ? .success(index) : .failure(Oops(index)))
        }
        #expect(settled.success?.map { try? $0.get() } == [0, nil, 2, nil, 4, nil, 6, nil, 8, nil])
    }
}
