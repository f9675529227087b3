// Budgets of tasks that wait for their turn.

import Futures

extension Budget {
    /// Counted in the whole process, as tasks run on other threads. All of them use `queued(on:)`, and the locks use
    /// the same code as a queue.
    static let queuedTasks = [
        inTask(
            "run",
            of: "TurnGiver.run TurnsOnScheduler.run", queuedTask
        ) { [queue = FutureQueue()] in _ = try? await queue.run { await number() }.value },
        inTask(
            "batch.run", of: "QueueBatches.run",
            queuedTask + [
                Reason(15, "the batch, its queue, and the steps that end it, as in `batch.enqueue`"),
                Reason(2, "what keeps its turn until its queue is empty, and what that calls"),
                step("the node that ends the batch with its future"),
                Reason(1, "what its queue has held, to be released in a loop"),
            ]
        ) { [queue = FutureQueue()] in _ = try? await queue.batch.run { _ in await number() }.value },
    ]

    private static func number() async -> Int { 1 }

    private static let queuedTask = [
        isolation(of: 1), Reason(1, "how it is enqueued, to be done again by a repetition"),
        Reason(4, "what the future follows; its node; its closure; their types"),
        Reason(3, "the promise by which the task gets its turn, and the resource in it"),
        Reason(10, "the task and its future, as in `Future { try await }`, with what it waits for"),
        Reason(2, "its place in the line, and what is called there"),
        step("the node that cancels the task if its turn does not come"),
        Reason(3, "the task's await of the gate"), Reason(3, "the await of the future"),
        Reason(1, "a box for the turn"), Reason(1, "a job in its turn, if the task is slow"),
    ]
}
