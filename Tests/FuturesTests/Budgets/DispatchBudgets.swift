// Budgets of bridges to Dispatch, of timers and of signals.

import Dispatch
import Futures

extension Budget {
    /// Counted in the whole process, as other threads run them.
    static let dispatching = [
        each(
            "a timer", of: "Future.delay",
            waiting + [
                Reason(1, "the future that is delayed"), node,
                Reason(1, "its closure, with the delay and the scheduler"),
                Reason(2, "the node that waits for the timer, and its closure"),
                Reason(2, "its disposable, which stops the timer"),
                Reason(2, "the timer's job, and what that captures"),
                Reason(9, "the timer: ours and Dispatch's, what they call, and a lock"), Reason(1, "the hop"),
            ]
        ) { waitFor(Future<Int>(1).delay(by: .nanoseconds(1), on: .background)) },
        each(
            "asyncFuture", of: "DispatchQueue.asyncFuture",
            waiting + [
                node, Reason(1, "its closure"), Reason(5, "the queue as a scheduler, which is current in the block"),
                Reason(3, "the block, what is done in it as the scheduler's, and what Dispatch queues it by"),
            ]
        ) { waitFor(queue.asyncFuture { 1 }) },
        each(
            "future of a group", of: "DispatchGroup.future",
            waiting + [node, completion, Reason(4, "what Dispatch keeps to tell of the end"), ownQueue]
        ) { [group = DispatchGroup()] in waitFor(group.future()) },
        each(
            "wait, pending", of: "Future.wait",
            [
                promise, Reason(2, "the block that completes it, which is its user's"), Reason(2, "a semaphore"),
                Reason(2, "the listener, and what that calls"),
                Reason(4, "the walk to what it waits for, which may need this thread"),
            ]
        ) {
            let promise = Promise<Int>()
            queue.async { promise.succeed(1) }
            _ = try? promise.future.wait()
        },
        each(
            "future of a signal, cancelled", of: "ProcessSignal.future",
            [
                node, completion, Reason(1, "its operation"), Reason(2, "the watch, and what the signal's watch calls"),
                Reason(2, "its place in the table of watches, where it was the only one of its signal"),
                Reason(6, "the ways into that table, and into the one of the signal, to leave them"),
                Reason(2, "the cancel: a job in its turn, and what it captures"),
            ]
        ) { ProcessSignal.hangUp.future().cancel() },
    ]

    private static let queue = DispatchQueue(label: "budgets")

    private static let ownQueue = Reason(
        3, "a queue of its own for the notification, so that no blocked thread or callback can delay it")
    private static let waiting = [Reason(3, "a semaphore, and the listener that signals it")]

    private static func waitFor<T>(_ future: Future<T>) {
        let done = DispatchSemaphore(value: 0)
        future.onResult(on: .immediate) { _ in done.signal() }
        done.wait()
    }
}
