// Budgets of bridges to Dispatch, of timers, and of hops: callbacks on another thread.

import Dispatch
import Futures

extension Budget {
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

    static let hopping = [
        each(
            "1 block on a serial queue", of: "Future.onValue",
            [
                Reason(2, "the futures"), Reason(2, "the block, and what it refers to"),
                Reason(1, "what Dispatch queues it by"),
            ]
        ) { [scheduler = Scheduler(queue: DispatchQueue(label: "blocks")), done = DispatchSemaphore(value: 0)] in
            Future(1).onValue(on: scheduler) { _ in done.signal() }
            done.wait()
        },
        Budget(
            "a hop between two schedulers of the library", of: "Future.map",
            [Reason(1, "the node, which is the job as well")]
        ) { hops($0) },
    ]

    private static func hops(_ count: Int) {
        let (a, b) = (Scheduler(label: "a"), Scheduler(label: "b"))
        let (done, promise) = (DispatchSemaphore(value: 0), Promise<Int>())
        escape(promise)
        var last = promise.future
        for number in 0..<count { last = last.map(on: number % 2 == 0 ? a : b) { $0 &+ 1 } }
        last.onResult(on: .immediate) { _ in done.signal() }
        promise.succeed(0)
        done.wait()
    }
}
