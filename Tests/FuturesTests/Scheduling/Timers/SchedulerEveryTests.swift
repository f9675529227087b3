// async(after:), async(every:): work after a delay, and at an interval. Contract/Time.md

import Futures
import FuturesTesting
import Testing

@Suite struct SchedulerEveryTests {
    private let time = VirtualTime()

    @Test func `repeated work is called at multiples of its interval, until it is disposed`() {
        let calls = Log<Duration>()
        let timer = time.scheduler.async(every: .seconds(10)) { [time] in calls.add(time.now) }
        time.advance(by: .seconds(35))
        timer.dispose()
        time.advance(by: .seconds(30))
        #expect(calls.entries == [10, 20, 30].map { .seconds($0) })
        #expect(time.pendingCount == 0)
    }

    @Test func `times that repeated work misses are skipped`() {
        let calls = Log<Duration>()
        let timer = time.scheduler.async(every: .seconds(10)) { [time] in
            calls.add(time.now)
            if calls.count == 1 { time.advance(by: .seconds(25)) }
        }
        time.advance(by: .seconds(60))
        timer.dispose()
        #expect(calls.entries == [10, 40, 50, 60].map { .seconds($0) })
    }

    @Test func `repeated work that disposes itself is not called again, and is released`() throws {
        final class Captured: Sendable {}
        var captured: Captured? = Captured()
        let (timer, calls) = (Shared<(any Disposable)?>(nil), Shared(0))
        timer.value = time.scheduler.async(every: .seconds(1)) { [captured] in
            withExtendedLifetime(captured) { timer.value?.dispose() }
            calls.increment()
        }
        time.advance(by: .seconds(5))
        #expect(calls.value == 1)
        try expectReleased(&captured)
    }

    @Test(arguments: [Scheduler.background, .main, .immediate, Scheduler(label: "own")])
    func `a real timer does not fire early`(scheduler: Scheduler) async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let fired = Promise<ContinuousClock.Instant>()
        scheduler.async(after: .milliseconds(2)) { fired.succeed(clock.now) }
        #expect(try await fired.future.value >= start + .milliseconds(2))
    }

    @Test(arguments: [Scheduler.background, .main, .immediate, Scheduler(label: "own")])
    func `disposing a timer stops it and releases its work at once`(scheduler: Scheduler) {
        let census = Census()
        func schedule() -> any Disposable {
            let captured = census.make()
            return scheduler.async(after: .seconds(3600)) { captured.touch() }
        }
        let timer = schedule()
        #expect(census.alive == 1)
        timer.dispose()
        timer.dispose()
        #expect(census.alive == 0)
    }
}
