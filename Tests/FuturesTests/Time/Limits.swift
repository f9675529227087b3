// Limits: every operator with a timer, for tests that apply to all of them.

import Futures
import FuturesTesting

typealias Operator = @Sendable (Future<Int>) -> Future<Int>

/// The operators that give up a future when their time limit passes.
func limits(_ duration: Duration, on time: VirtualTime) -> [Operator] {
    let scheduler = time.scheduler
    let deadline = scheduler.now + duration
    return [
        { $0.timeout(after: duration, on: scheduler) },
        { $0.timeout(at: deadline, on: scheduler) },
        { $0.fail(with: Oops(), after: duration, on: scheduler) },
        { $0.succeed(with: 0, after: duration, on: scheduler) },
        { $0.timeout(on: scheduler, after: duration) { Future(0) } },
    ]
}
