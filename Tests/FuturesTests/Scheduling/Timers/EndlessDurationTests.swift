// Durations beyond the range of clocks. Contract/Time.md

import Futures
import FuturesTesting
import Testing

@Suite struct EndlessDurationTests {
    @Test func `a message can show any duration`() {
        let endless = Duration(secondsComponent: .max, attosecondsComponent: 0) * 18
        for duration in [.seconds(Int64.max), endless, .zero - endless] {
            #expect("\(QueueError.waitTimedOut(after: duration))".hasSuffix(" seconds."))
        }
    }

    private static let endless: [Duration] = [
        .seconds(Int64.max), .seconds(Int64.max) + .nanoseconds(999_999_999), .seconds(Int64.max) * 2,
        Duration(secondsComponent: .max, attosecondsComponent: 0) * 18,
    ]

    /// Returns futures that wait for `duration`, one for every method of the library that takes one.
    private func waiting(_ duration: Duration, on scheduler: Scheduler) -> [Future<Int>] {
        let deadline = scheduler.now + min(duration, .seconds(Int64.max) * 2)
        let (pending, failing) = (Promise<Int>(), Future<Int>(error: Oops()))
        let queue = FutureQueue(maxConcurrentCount: 1, rate: RateLimit(1, per: duration, on: scheduler))
        queue.on(.immediate).enqueue { Future(0) }
        return [
            pending.future.timeout(after: duration, on: scheduler),
            pending.future.timeout(at: deadline, on: scheduler),
            pending.future.succeed(with: 1, after: duration, on: scheduler),
            pending.future.performWhile(on: scheduler, delayBy: duration) { NilDisposer() },
            pending.future.hedged(after: duration, on: scheduler),
            Future(1).delay(by: duration, on: scheduler),
            Future(1).delay(until: deadline, on: scheduler),
            failing.onErrorRepeat(on: scheduler, delayBetweenRepetitions: duration) { _ in true },
            failing.retry(RetryPolicy(.constant(duration)), on: scheduler),
            failing.retry(RetryPolicy(.exponential(from: duration, upTo: duration)), on: scheduler),
            failing.retry(
                RetryPolicy(
                    .constant(.seconds(1)), minimumDelay: { _ in duration }),
                on: scheduler),
            queue.on(.immediate).enqueue { Future(1) },
            FutureQueue().on(scheduler).enqueue(with: .waitTimeout(duration).runTimeout(duration)) { pending.future },
        ]
    }

    @Test(arguments: endless) func `a duration beyond a clock's range never expires`(duration: Duration) async {
        let (own, time) = (Scheduler(label: "own"), VirtualTime())
        for scheduler in [own, time.scheduler] {
            let futures = waiting(duration, on: scheduler)
            time.advance(by: .seconds(1_000_000_000_000))
            own.sync {}
            for (index, future) in futures.enumerated() {
                #expect(!future.isCompleted, "future \(index)")
                future.cancel()
            }
        }
        time.run()
        // The clock's own work is called when the clock is at the end of its range, and not earlier.
        let timer = time.scheduler.async(after: duration) {}
        #expect(time.pendingCount == 1)
        #expect(throws: VirtualTime.StillPending.self) { try time.checkNothingPending() }
        timer.dispose()
        #expect(time.pendingCount == 0)
    }
}
