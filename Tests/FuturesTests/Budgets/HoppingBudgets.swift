// Budgets of hops: callbacks on another thread.

import Dispatch
import Futures

extension Budget {
    /// Operations that hop between threads.
    static let hopping = [
        each(
            "1 block on a serial queue", of: "Future.onValue",
            [Reason(2, "the futures"), Reason(1, "what Dispatch queues a block by")]
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
        let done = DispatchSemaphore(value: 0)
        let promise = Promise<Int>()
        escape(promise)
        var last = promise.future
        for number in 0..<count { last = last.map(on: number % 2 == 0 ? a : b) { $0 &+ 1 } }
        last.onResult(on: .immediate) { _ in done.signal() }
        promise.succeed(0)
        done.wait()
    }
}
