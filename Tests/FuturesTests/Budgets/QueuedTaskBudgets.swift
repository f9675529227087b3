// Budgets of tasks that wait for their turn.

import Futures

extension Budget {
    /// Counted in the whole process, as tasks run on other threads. All of them use `queued(on:)`, and the locks use
    /// the same code as a queue.
    static let queuedTasks = [
        inTask("run", of: "TurnGiver.run TurnsOnScheduler.run", queuedTask) { [queue = FutureQueue()] in
            _ = try? await queue.run { await number() }.value
        },
        inTask(
            "batch.run", of: "QueueBatches.run",
            queuedTask + [Reason(21, "the batch, its queue, and the steps that end it, as in `batch.enqueue`")]
        ) { [queue = FutureQueue()] in _ = try? await queue.batch.run { _ in await number() }.value },
    ]

    private static func number() async -> Int { 1 }

    private static let queuedTask = [
        isolation(of: 1), Reason(7, "its node, its place in the line, and how a repetition enqueues it again"),
        Reason(12, "the task and its future, as in `Future { try await }`; if it is slow, a job; a box for the turn"),
        Reason(9, "the promise of its turn, which the task awaits, and its cancel if that does not come"),
        Reason(3, "the await of the future"),
    ]
}
