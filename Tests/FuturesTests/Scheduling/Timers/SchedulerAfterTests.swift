// async(after:): work after a delay.

import Futures
import Testing

@Suite struct SchedulerAfterTests {
    @Test(arguments: [Scheduler.background, .main, .immediate, Scheduler(label: "own")])
    func `a real timer does not fire early`(scheduler: Scheduler) async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let fired = Promise<ContinuousClock.Instant>()
        scheduler.async(after: .milliseconds(2)) { fired.succeed(clock.now) }
        #expect(try await fired.future.value >= start + .milliseconds(2))
    }

    @Test func `a delay that is zero, negative or endless is valid`() throws {
        let (scheduler, fired) = (Scheduler(label: "own"), Promise<Int>())
        scheduler.async(after: .zero) { scheduler.async(after: .seconds(-1_000_000_000_000)) { fired.succeed(1) } }
        #expect(try fired.future.wait(timeout: testTimeout) == 1)
        scheduler.async(after: .seconds(Int64.max)) {}.dispose()
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
