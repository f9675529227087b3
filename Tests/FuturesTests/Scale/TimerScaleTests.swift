// Many timers: constant time each.

import Futures
import FuturesTesting
import Testing

extension ScaleTests {
    @Suite(.serialized) struct TimerScaleTests {
        @Test(arguments: ScaleTests.Order.allCases)
        func `100 000 virtual timers run or are disposed in any order, in constant time each`(_ order: Order) throws {
            try expectConstantTime { count in
                let (clock, ran) = (VirtualTime(), Shared(0))
                let timers = order.arrange(Array(0..<count)).map { delay in
                    clock.scheduler.async(after: .milliseconds(delay)) { ran.increment() }
                }
                for timer in timers.prefix(count / 2) { timer.dispose() }
                try clock.runToEnd()
                #expect(ran.value == count - count / 2)
            }
        }

        @Test(arguments: TimerScaleTests.Fate.allCases)
        func `100 000 time limits pass, fail or are cancelled in constant time each`(_ fate: Fate) {
            expectConstantTime { count in
                let (clock, promise) = (VirtualTime(), Promise<Int>())
                let futures = (0..<count).map { index in
                    promise.future.timeout(after: .milliseconds(index), on: clock.scheduler)
                        .performWhile(on: .immediate) { NilDisposer() }
                }
                switch fate {
                case .pass: promise.succeed(1)
                case .fail: clock.advance(by: .seconds(count))
                case .cancel: for future in futures { future.cancel() }
                }
                for future in futures { precondition(future.isCompleted) }
                #expect(clock.pendingCount == 0)
            }
        }

        enum Fate: CaseIterable { case pass, fail, cancel }
    }
}
