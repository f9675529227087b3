// expectConforms: whether an execution queue does what schedulers require of it.

import Dispatch
import Futures

/// Expects that a queue does what `ExecutionQueue` requires.
///
///     try expectConforms(EventLoopQueue(loop: loop))
///
/// It enqueues some thousand closures from several threads, and waits until the queue has called them. What it expects:
/// each closure is called once, and not before `async(_:)` has returned; `async(_:)` does not wait for a closure in
/// progress; closures are released after their calls; a closure may enqueue another one; a serial queue calls closures
/// one at a time and in their order; `isCurrent` and `identifyingObject` tell the truth.
///
/// What it cannot find: faults that are rarer than that, and a queue that traps after it was shut down.
///
/// - Parameters:
///   - queue: The queue. It is in use by nothing else, and the calling code does not run on it.
///   - limit: How long to wait for a closure, at most.
///   - file: The file in errors and reports.
///   - line: The line in errors and reports.
/// - Throws: An error that says what the queue does not do.
@available(*, noasync, message: "Write try await expectConforms(…), which blocks no thread of the concurrency pool.")
public func expectConforms(
    _ queue: some ExecutionQueue, within limit: Duration = .seconds(10), file: StaticString = #fileID,
    line: UInt = #line
) throws {
    try QueueTrial(queue, limit, file, line).run()
}

/// Expects that a queue does what `ExecutionQueue` requires, without blocking a thread of the concurrency pool.
///
/// - Parameters:
///   - queue: The queue. It is in use by nothing else, and the calling code does not run on it.
///   - limit: How long to wait for a closure, at most.
///   - file: The file in errors and reports.
///   - line: The line in errors and reports.
/// - Throws: An error that says what the queue does not do.
public func expectConforms(
    _ queue: some ExecutionQueue, within limit: Duration = .seconds(10), file: StaticString = #fileID,
    line: UInt = #line
) async throws {
    let trial = QueueTrial(queue, limit, file, line)
    try await Future(on: Scheduler(label: "expectConforms"), immediate: { try trial.run() }).value
}
