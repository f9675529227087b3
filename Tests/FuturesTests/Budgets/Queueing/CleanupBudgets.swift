// Budgets of operations with a cleanup.

import Futures

extension Budget {
    static let cleaning = [
        Budget("enqueue with a cleanup and a resource", of: "TurnGiver.enqueue TurnsOnScheduler.enqueue", cleaned) {
            times in
            let queue = FutureQueue(resource: 1)
            for _ in 0..<times {
                queue.on(.immediate).enqueue {
                    Future($0)
                } finally: { _, _ in
                    Future()
                }
            }
            precondition(queue.isEmpty)
        },
        Budget(
            "batch.enqueue with a cleanup", of: "QueueBatches.enqueue FutureQueue.batch",
            cleaned + [
                Reason(4, "its queue: face, station, line and the lock of that"),
                Reason(2, "the batch, and what calls the closure with its queue"),
                Reason(3, "the node that closes its queue with its result; its closure; their types"),
                Reason(5, "the future of the queue's emptiness, and the node that passes on the result after that"),
                Reason(3, "what its queue has held, an object each, to be released in a loop"),
            ]
        ) { times in
            let queue = FutureQueue(resource: 1)
            for _ in 0..<times {
                queue.on(.immediate).batch().enqueue { _ in
                    Future(1)
                } finally: { _, _ in
                    Future()
                }
            }
            precondition(queue.isEmpty)
        },
    ]

    /// Counted in the whole process, as tasks run on other threads. The locks use the same code as a queue.
    static let cleaningInTasks = [
        inTask(
            "run with a cleanup",
            of: "TurnGiver.run TurnsOnScheduler.run", cleanedTask
        ) { [queue = FutureQueue()] in
            _ = try? await queue.run {
                await number()
            } finally: { _, _ in
            }.value
        },
        inTask(
            "batch.run with a cleanup", of: "QueueBatches.run",
            cleanedTask + [
                Reason(17, "the batch, its queue, and the steps that end it, as in `batch.enqueue`"),
                Reason(1, "what its queue has held, to be released in a loop"),
            ]
        ) {
            [queue = FutureQueue()] in
            _ = try? await queue.batch.run { _ in
                await number()
            } finally: { _, _ in
            }.value
        },
    ]

    private static func number(_ number: Int = 1) async -> Int { number }

    private static let cleaned =
        queued + [
            Reason(3, "the cleanup as one that runs where it belongs and asks for its result; what its node calls"),
            Reason(2, "what keeps its turn, and what that calls"),
            Reason(2, "the cleanup, and what gives it the result"),
            Reason(4, "the node that starts the cleanup after the operation; its closure; their types"),
            Reason(4, "the node of the cleanup, what it follows; its closure; their types"),
            Reason(1, "the future that the cleanup makes"),
            Reason(2, "the listener that gives back the turn, and its closure"),
            Reason(3, "the node that passes on the result after the cleanup; its closure; their types"),
        ]

    private static let cleanedTask =
        cleaned + [
            Reason(6, "how it is enqueued, to be done again by a repetition; what the future follows; its node"),
            Reason(6, "the gate before which the task waits; whether it has called the operation"),
            Reason(20, "the tasks of the operation and of the cleanup, and their futures"),
            Reason(4, "the operation and the cleanup in the forms that these call"),
            Reason(3, "the node that cancels the task if its turn does not come; its closure; their types"),
            Reason(10, "the awaits of the gate and of the future, a box for the turn, and jobs in their turn"),
        ]
}
