// Timers under threads: time limits, results and cancels that race.

import Futures
import FuturesTesting
import Testing

extension ThreadStressTests {
    @Suite struct Timing {
        @Test func `a time limit, a result and a cancel that race complete a future once and leave nothing behind`() {
            (rounds / 4).rounds { _, _ in
                for index in timers(.seconds(1), on: VirtualTime()).indices {
                    let time = VirtualTime()
                    let census = Census()
                    let promise = Promise<Int>()
                    let ends = AtomicCounter()
                    func attach() -> Future<Int> {
                        let captured = census.make()
                        return timers(.seconds(1), on: time)[index](
                            promise.future.map(on: .immediate) { captured.pass($0) }
                        )
                        .always(on: .immediate) { ends.up() }
                    }
                    let future = Guarded<Future<Int>?>(attach())
                    race(3) { thread in
                        switch thread {
                        case 0: time.advance(by: .seconds(1))
                        case 1: promise.succeed(1)
                        default: future.with { $0.take() }?.cancel()
                        }
                    }
                    // A result that is delayed at that point waits for its own timer.
                    time.advance(by: .seconds(1))
                    #expect(ends.value == 1, "operator \(index)")
                    #expect(time.pendingCount == 0, "operator \(index)")
                    #expect(census.alive == 0, "operator \(index)")
                }
            }
        }
    }
}
