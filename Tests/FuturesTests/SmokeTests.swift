// A first look at everything at once.

import Testing
import Futures

@Test func smoke() throws {
    let p = Promise<Int>()
    nonisolated(unsafe) var log: [String] = []
    let s = Scheduler.immediate
    p.future.map(on: s) { $0 + 1 }.flatMap(on: s) { x in Future(x * 2) }.onValue(on: s) { log.append("\($0)") }
    p.succeed(1)
    #expect(log == ["4"])
    let f = join(Future(1), Future("a"))
    #expect(try f.wait() == (1, "a"))
    let g = Future(1).map { $0 + 1 }.delay(by: .milliseconds(10))
    #expect(try g.wait() == 2)
    nonisolated(unsafe) var n = 0
    let r = Future<Int>(immediate: { n += 1; if n < 1000 { throw CancellationError() }; return n }).onErrorRepeat()
    #expect(try r.wait() == 1000)
    let q = FutureQueue()
    let fs = (0..<1000).map { i in q.enqueue { Future(i) } }
    #expect(try join(fs).wait() == Array(0..<1000))
    let c = Promise<Int>()
    let d = c.future.map { $0 }.onCancel { log.append("c1") }.map { $0 }.onCancel { log.append("c2") }
    d.cancel()
    try Future().delay(by: .milliseconds(5)).wait()
    #expect(log == ["4", "c1", "c2"])
    @Sendable func loop(_ n: Int) -> Future<Int> { n == 0 ? Future(0) : Future(n).flatMap(on: .immediate) { loop($0 - 1) } }
    #expect(try loop(100_000).wait() == 0)
    var m = Future(0)
    for _ in 0..<1_000_000 { m = m.map(on: .immediate) { $0 + 1 } }
    #expect(try m.wait() == 1_000_000)
    let bag = DisposeBag()
    let pp = Promise<Int>()
    bag += pp.future
    #expect(!bag.isEmpty)
    pp.succeed(1)
    #expect(bag.isEmpty)
}

@MainActor final class Counter {
    var count = 0
    func go() -> Future<Int> { Future(1).map { x in self.count += x; return self.count } }
}
@Test @MainActor func isolated() async throws {
    let c = Counter()
    _ = c.go()
    #expect(c.count == 1)
}
