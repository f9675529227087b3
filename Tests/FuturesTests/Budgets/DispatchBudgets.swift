// Budgets of bridges to Dispatch and of timers.

import Dispatch
import Futures

extension Budget {
    /// Counted in the whole process, as other threads run them.
    static let dispatching = [
        each(
            "a timer", of: "Future.delay",
            waiting + [
                Reason(9, "the delay and its source, as in `delay(by:)`"), Reason(10, "Dispatch's timer, the hop"),
            ]
        ) { waitFor(Future<Int>(1).delay(by: .nanoseconds(1), on: .background)) },
        each(
            "wait, pending", of: "Future.wait",
            [
                promise, Reason(2, "the block that completes it, which is its user's"),
                Reason(8, "a semaphore, its listener, and the walk to what it waits for, which may need this thread"),
            ]
        ) {
            let promise = Promise<Int>()
            queue.async { promise.succeed(1) }
            _ = try? promise.future.wait()
        },
    ]

    private static let queue = DispatchQueue(label: "budgets")
    private static let waiting = [Reason(3, "a semaphore, and the listener that signals it")]

    private static func waitFor<T>(_ future: Future<T>) {
        let done = DispatchSemaphore(value: 0)
        future.onResult(on: .immediate) { _ in done.signal() }
        done.wait()
    }
}
