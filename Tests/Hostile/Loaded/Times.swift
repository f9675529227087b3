// Times: limits, delays, retries and rates go by the monotonic clock.

import Dispatch
import Futures
import Synchronization

private struct Oops: Error {}

/// Nothing here takes longer than a second. What goes by the clock of the day takes a day, or no time at all.
private let limit = Duration.seconds(60)

func runTimes() -> Int32 {
    var failures = Failures()
    func time(_ name: String, atLeast least: Duration, _ body: () throws -> Void) {
        let start = ContinuousClock.now
        let error = Result(catching: body)
        let duration = ContinuousClock.now - start
        failures.check(duration >= least && duration < limit, "\(name) took \(duration)")
        if case .failure(let error) = error { failures.check(false, "\(name): \(error)") }
    }
    time("wait(timeout:)", atLeast: .milliseconds(50)) {
        let promise = Promise<Int>()
        let error = Result { try promise.future.wait(timeout: .milliseconds(50)) }
        promise.succeed(1)
        if case .success = error { throw Oops() }
    }
    time("timeout(after:)", atLeast: .milliseconds(30)) {
        let promise = Promise<Int>()
        let result = Result {
            try Scheduler.background.perform { promise.future.timeout(after: .milliseconds(30)) }.wait()
        }
        if case .success = result { throw Oops() }
    }
    time("delay(by:)", atLeast: .milliseconds(30)) {
        _ = try Scheduler.background.perform { Future(1).delay(by: .milliseconds(30)) }.wait()
    }
    time("retries", atLeast: .milliseconds(30)) {
        let failing = Future<Int>(on: .background, immediate: { throw Oops() })
        let policy = RetryPolicy(.constant(.milliseconds(10)), maxRepetitions: 3)
        _ = Result { try failing.retry(policy).wait() }
    }
    time("a rate", atLeast: .milliseconds(80)) {
        let queue = FutureQueue(rate: RateLimit(1, per: .milliseconds(20)))
        _ = try join((0..<5).map { number in queue.on(.background).enqueue { Future(number) } }).wait()
    }
    time("delays in their order", atLeast: .milliseconds(50)) {
        let order = Mutex<[Int]>([])
        let numbers = (1...5).map { number in
            Scheduler.background.perform { Future(number).delay(by: .milliseconds(60 - 10 * number)) }
                .onValue(on: .immediate) { value in order.withLock { $0.append(value) } }
        }
        _ = try join(numbers).wait()
        let heard = order.withLock { $0 }
        if heard != [5, 4, 3, 2, 1] { throw Oops() }
    }
    return failures.count
}
