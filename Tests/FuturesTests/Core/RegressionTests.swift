// Findings of an adversarial review: each was a crash, a leak or a hang.

import Dispatch
import Futures
import Testing

struct RegressionTests {
    @Test func `retained links that meet at each step are deallocated on a small stack`() {
        let count = 20_000
        let last = Promise<Int>()
        var held: [Future<Int>] = []
        var future = last.future.map(on: .immediate) { $0 }
        for _ in 0..<count {
            // One link leads to each future before that future becomes a link itself.
            let (gate, start) = (Promise<Void>(), Promise<Void>())
            let target = future
            let next = gate.future.flatMap(on: .immediate) { target }
            let link = start.future.flatMap(on: .immediate) { next }
            held.append(link.flatMap(on: .immediate) { Future($0) })
            start.succeed()
            gate.succeed()
            held.append(link)
            future = next
        }
        last.succeed(7)
        #expect(future.success == 7)
        #expect(held.allSatisfy { $0.success == 7 })
        held = []
    }

    @Test func `a wait may have any timeout`() throws {
        let promise = Promise<Int>()
        otherThreads.async { promise.succeed(1) }
        #expect(try promise.future.wait(timeout: .seconds(Int64.max)) == 1)
        #expect(throws: FutureError.self) { try Promise<Int>().future.wait(timeout: .seconds(-1)) }
    }
}

extension RegressionTests {
    @Test func `on another thread, perform of the main scheduler is not the main actor`() async {
        await #expect(processExitsWith: .failure) {
            DispatchQueue.global().sync { Scheduler.main.perform {} }
            // On the main thread, `sync` may run its closure there, where the call is allowed.
            await Task.detached { Scheduler.main.perform {} }.value
        }
    }
}
