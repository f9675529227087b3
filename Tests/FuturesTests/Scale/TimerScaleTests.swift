// Many timers: each takes the same time however many wait.

import Futures
import FuturesTesting
import Testing

extension ScaleTests {
    @Suite(.serialized) struct TimerScaleTests {
        @Test(arguments: ScaleTests.Order.allCases)
        func `100 000 timers of virtual time run or are disposed in any order, each in the same time`(
            _ order: ScaleTests.Order
        ) throws {
            let slowdown = try slowdown(ofTenTimes: scaled(10_000 * 10) / 10) { count in
                let clock = VirtualTime()
                let ran = Shared(0)
                let delays = order.arrange((0..<count).map { $0 })
                let duration = try time {
                    let timers = delays.map { delay in
                        clock.scheduler.async(after: .milliseconds(delay)) { ran.increment() }
                    }
                    for timer in timers.prefix(count / 2) { timer.dispose() }
                    try clock.runToEnd()
                }
                #expect(ran.value == count - count / 2)
                return duration
            }
            #expect(slowdown < flat)
        }
    }
}
