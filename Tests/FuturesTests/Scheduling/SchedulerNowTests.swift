// now: the time on a scheduler's clock.

import Futures
import FuturesTesting
import Testing

@Suite struct SchedulerNowTests {
    @Test(arguments: [Scheduler.main, .background, .immediate, Scheduler(label: "own")])
    func `a scheduler's time is that of the continuous clock`(scheduler: Scheduler) {
        let before = ContinuousClock.now
        let now = scheduler.now
        #expect(before <= now)
        #expect(now <= .now)
    }

    @Test func `a scheduler of virtual time has the virtual time, even during a job`() {
        let time = VirtualTime()
        let start = time.scheduler.now
        let seen = Log<Duration>()
        time.scheduler.async(after: .seconds(2)) { seen.add(start.duration(to: time.scheduler.now)) }
        time.advance(by: .seconds(5))
        #expect(seen.entries == [.seconds(2)])
        #expect(start.duration(to: time.scheduler.now) == .seconds(5))
    }
}
