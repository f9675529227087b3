// Ticks, the times of the heap of timers: never early, never overflowing.

import Futures
import Testing

@Suite struct TickTests {
    @Test func `a tick comes when its delay has passed, and never before`() {
        var random = SplitMix(1)
        for _ in 0..<2000 {
            let delay = Duration(secondsComponent: 0, attosecondsComponent: Int64(random.next() % 20_000_000_000_000))
            let start = ContinuousClock.now
            let tick = Tick.now.after(delay)
            while Tick.now < tick {}
            #expect(start.duration(to: .now) >= delay)
        }
    }

    @Test func `a tick that is too late to be counted never comes`() {
        for now in [Tick.now, Tick(count: -5), Tick(count: .max)] {
            #expect(now.after(.seconds(Int64.max)) == Tick(count: .max))
            #expect(now.after(.seconds(Int64.max) * 4) == Tick(count: .max))
            #expect(now.after(.seconds(Int64.min)) <= now.after(.zero))
            #expect(now.after(.zero) >= now)
        }
    }
}
