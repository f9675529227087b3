// Budgets of queues: an operation that finds the queue empty, and one that waits.

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
            ) { [queue = FutureQueue()] in
                precondition(queue.enqueue { Future(1) }.isCompleted)
            }.attached,
            Budget(
                "enqueue with limits for waiting and running", of: "TurnGiver.enqueue",
                queued + [
                    Reason(2, "the operation as one that takes a resource, of any type"),
                    Reason(1, "what its node calls, with the limits"),
                    Reason(2, "what each timer does when it is too late"),
                    Reason(4, "the timers' jobs, and what these capture"),
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
                "batch.enqueue with 1 operation", of: "QueueBatches.enqueue FutureQueue.batch",
                queued + [
                    Reason(2, "the batch's future, and what it calls"),
                    Reason(4, "its queue: face, station, line and the lock of that"),
                    Reason(1, "the disposable that ends the batch when its future completes"),
                    Reason(2, "what keeps its turn until its queue is empty, and what that calls"),
                    Reason(1, "what calls the closure with its queue"),
                    step("the node that closes its queue with its result"),
                    Reason(2, "the future of the queue's emptiness, and what it calls"),
                    step("the node that passes on the result after that"),
                    Reason(1, "the types of the continuation of the first of these"),
                    Reason(1, "the error that the queue is aborted with"),
                    Reason(3, "what its queue has held, an object each, to be released in a loop"),
                ]
            ) { [queue = FutureQueue()] in
                queue.on(.immediate).batch().enqueue { batch in batch.on(.immediate).enqueue { Future(1) } }
                precondition(queue.isEmpty)
            },
            each(
                "enqueue for a key", of: "TurnGiver.enqueue",
                queued + [
                    Reason(1, "the lane of its key"), Reason(1, "the job that starts the first operation in line"),
                ]
            ) { [queue = KeyedFutureQueue<Int>()] in
                precondition(queue[1].on(.immediate).enqueue { Future(1) }.isCompleted)
            },
        ] + signals

    private static let signals = [
        each("drained", of: "TurnQueue.drained", onlooker) { [queue = FutureQueue()] in escape(queue.drained()) },
        each("capacityAvailable", of: "TurnQueue.capacityAvailable", onlooker) { [queue = FutureQueue()] in
            escape(queue.capacityAvailable())
        },
        each("close", of: "TurnQueue.close", onlooker + [Reason(1, "the error")]) { [queue = FutureQueue()] in
            escape(queue.close())
        },
    ]

    private static let onlooker = [
        Reason(1, "the future, which is also the entry in the list of waiting operations"),
        Reason(1, "its closure, with the line"),
    ]
    static let place = Reason(1, "the operation's future, which is its place in the line and its recipe too")
    static let queued = [place, made]
}
