// Limits: no turns, endless stages, nested stages and Deferreds.

import Futures
import FuturesTesting
import Testing

/// Repeats one stage forever.
private struct Same: Progression {
    let stage: Deferred<Same>?
    var result: Int? { nil }
    func next() -> Deferred<Same> { stage ?? Deferred(self) }
}

@Suite struct ProgressingLimitsTests {
    @Test func `a stage that leads to itself forever yields to other work and can be cancelled`() throws {
        for stage in [nil, Deferred(Same(stage: nil)), Deferred { Same(stage: nil) }] {
            let time = VirtualTime()
            let run = Same(stage: stage).run(on: time.scheduler)
            let mapped = Same(stage: stage).map { $0 }.flatMap { _ in Same(stage: nil) }.run(on: time.scheduler)
            time.scheduler.async { time.scheduler.async { run.cancel() } }
            time.scheduler.async { time.scheduler.async { mapped.cancel() } }
            time.run()
            #expect(run.isCancelled && mapped.isCancelled)
            let threaded = Same(stage: stage).run()
            threaded.cancel()
            #expect(threaded.isCancelled)
        }
    }

    @Test func `a result of nil is a result`() {
        struct Walk: Progression {
            var left: Int
            func next() -> Deferred<Walk> { Deferred { Walk(left: left - 1) } }
            var result: Int?? { left == 0 ? .some(nil) : nil }
        }
        let asked = Log<Int>()
        let end = Walk(left: 3).run(on: .immediate) { stage in
            asked.add(stage.left)
            return true
        }
        #expect(end.success == .some(nil))
        #expect(asked.entries == [3, 2, 1, 0])
    }
}
