// Budgets of queues: an operation that finds the queue empty, one that waits, and one with a cleanup.

import Futures
import FuturesTesting

extension Budget {
    static let queueing =
        [
            each("enqueue", of: "TurnGiver.enqueue TurnsOnScheduler.enqueue", queued) { [queue = FutureQueue()] in
                precondition(queue.on(.immediate).enqueue { Future(1) }.isCompleted)
            },
            each(
                "enqueue", of: "TurnGiver.enqueue",
                queued + [isolation(of: 1), Reason(1, "the closure, as one that takes a resource: Void")]
            ) { [queue = FutureQueue()] in precondition(queue.enqueue { Future(1) }.isCompleted) }.attached,
            Budget(
                "enqueue with limits for waiting and running", of: "TurnGiver.enqueue",
                queued + [
                    Reason(3, "the operation as one that takes a resource, of any type, and what its node calls"),
                    Reason(6, "the timers' jobs, what these capture, and what they do when it is too late"),
                    Reason(4, "what stops the timers, and what that captures"),
                ]
            ) { times in
                // Not captured: while there is a virtual time, a fault point costs more.
                let (queue, time) = (FutureQueue(), VirtualTime())
                for _ in 0..<times {
                    queue.on(time.scheduler).enqueue(with: .waitTimeout(.seconds(1)).runTimeout(.seconds(1))) {
                        Future(1)
                    }
                    time.advance(by: .seconds(2))
                }
                precondition(queue.isEmpty)
            },
            each("run, synchronous", of: "TurnGiver.run TurnsOnScheduler.run", [place]) { [queue = FutureQueue()] in
                precondition(queue.on(.immediate).run { 1 }.isCompleted)
            },
            each(
                "enqueueBatch with 1 operation", of: "FutureQueue.enqueueBatch",
                queued + [
                    Reason(
                        7, "the batch's future, its queue with the lock of that, and what calls the closure with it"),
                    Reason(3, "what stops its queue when it ends"),
                    Reason(19, "the cleanup that waits until its queue is empty: see below"),
                    Reason(7, "the nodes that wait for that and close its queue; their closures"),
                ]
            ) { [queue = FutureQueue()] in
                queue.on(.immediate).enqueueBatch { batch in batch.on(.immediate).enqueue { Future(1) } }
                precondition(queue.isEmpty)
            },
            each(
                "enqueue for a key", of: "TurnGiver.enqueue",
                queued + [Reason(2, "the lane of its key, and the job that starts the first operation in line")]
            ) { [queue = KeyedFutureQueue<Int>()] in
                precondition(queue[1].on(.immediate).enqueue { Future(1) }.isCompleted)
            },
        ] + signals

    private static let signals = [
        each("drained", of: "TurnQueue.drained", [onlooker]) { [queue = FutureQueue()] in escape(queue.drained()) },
        each("capacityAvailable", of: "TurnQueue.capacityAvailable", [onlooker]) { [queue = FutureQueue()] in
            escape(queue.capacityAvailable())
        },
        each("close", of: "TurnQueue.close", [onlooker, Reason(1, "the error")]) { [queue = FutureQueue()] in
            escape(queue.close())
        },
    ]

    private static let onlooker = Reason(2, "the future, which is an entry of the line, and its closure")
    static let place = Reason(1, "the operation's future, which is its place in the line and its recipe too")
    static let queued = [place, made]

    static let cleaning = [
        each("enqueue with a cleanup", of: "TurnGiver.enqueue", cleaned) { [queue = FutureQueue(resource: 1)] in
            queue.on(.immediate).enqueue({ Future($0) }, finally: { _, _ in Future() })
            precondition(queue.isEmpty)
        }
    ]

    private static let cleaned =
        queued + [
            Reason(5, "the cleanup as one that runs where it belongs and asks for its result; what its node calls"),
            Reason(4, "what keeps the turn and gives it back"),
            Reason(12, "the nodes that start the cleanup and are it; their closures and types; the cleanup's future"),
            step("the node that passes on the result after the cleanup"),
        ]
}
