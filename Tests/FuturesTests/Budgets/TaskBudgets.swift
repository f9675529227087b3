// Budgets of bridges to tasks, and of tasks that wait for their turn.

import Dispatch
import Futures

extension Budget {
    static let tasks = [
        inTask("Future { try await }", of: "Future.init", begun + [isolation(of: 1)] + awaited) {
            _ = try? await Future { await number() }.value
        },
        inTask("Future.Builder", of: "Future.Builder.build", begun + [isolation(of: 1), Reason(1, "itself")] + awaited)
        {
            _ = try? await Future.Builder { await number() }.build().value
        },
        inTask("Future.first(of:)", of: "Future.first", begun + [Reason(5, "the sequence, its iterator")] + awaited) {
            _ = try? await Future.first(of: AsyncStream(unfolding: { 1 })).value
        },
        inTask("run", of: "Future.run", begun + awaited + [Reason(5, "the step, its source and its closure")]) {
            _ = try? await Future(1).run { await number() + $0 }.value
        },
    ]

    /// An operation that a task runs repeatedly, each time after the previous one has completed.
    static func inTask(
        _ operation: String, of functions: String, _ reasons: [Reason], body: @escaping @Sendable () async -> Void
    ) -> Budget {
        Budget(operation, of: functions, reasons) { times in inTask(times) { for _ in 0..<$0 { await body() } } }
    }

    static func inTask(_ times: Int, _ body: @escaping @Sendable (Int) async -> Void) {
        let done = DispatchSemaphore(value: 0)
        Task {
            await body(times)
            done.signal()
        }
        done.wait()
    }

    private static func number() async -> Int { 1 }

    /// A future that a task completes.
    private static let begun = [
        node, Reason(2, "what begins the task, of this run or of another"),
        Reason(6, "the task, what it does and completes, and what cancels it"),
    ]
    /// None, if the task completes before it is awaited.
    private static let awaited = [Reason(3, "the await: a listener, what that calls, and how far they are")]

    /// All of them use `queued(on:)`, and the locks use the same code as a queue.
    static let queuedTasks = [
        inTask("run", of: "TurnGiver.run TurnsOnScheduler.run", queuedTask) { [queue = FutureQueue()] in
            _ = try? await queue.run { await number() }.value
        }
    ]

    private static let queuedTask = [
        isolation(of: 1), Reason(7, "its node, its place in the line, and how a repetition enqueues it again"),
        Reason(12, "the task and its future, as in `Future { try await }`; if it is slow, a job; a box for the turn"),
        Reason(9, "the promise of its turn, which the task awaits, and its cancel if that does not come"),
        Reason(3, "the await of the future"),
    ]
}
