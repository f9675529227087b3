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
///   - file: The file that the error names.
///   - line: The line that the error names.
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
///   - file: The file that the error names.
///   - line: The line that the error names.
/// - Throws: An error that says what the queue does not do.
public func expectConforms(
    _ queue: some ExecutionQueue, within limit: Duration = .seconds(10), file: StaticString = #fileID,
    line: UInt = #line
) async throws {
    let trial = QueueTrial(queue, limit, file, line)
    try await Future(on: Scheduler(label: "expectConforms"), immediate: { try trial.run() }).value
}

/// Expects that a queue with a clock of its own does what `ClockedExecutionQueue` requires.
///
/// Beside what the form without a clock expects: timers are enqueued when their delays have passed, in the
/// order of their ends and, for the same end, of the calls; a timer that is disposed is not called, and its closure is
/// released; the longest delay is accepted; the clock does not go back.
///
/// - Parameters:
///   - queue: The queue. It is in use by nothing else, and the calling code does not run on it.
///   - limit: How long to wait for a closure, at most.
///   - file: The file that the error names.
///   - line: The line that the error names.
///   - advance: Lets at least that time pass on the queue's clock; for a clock that runs by itself, it sleeps. The delays
///     of this check are a tenth of a second long.
/// - Throws: An error that says what the queue does not do.
@available(*, noasync, message: "It blocks the thread. Call it in a test that is not asynchronous.")
public func expectConforms(
    _ queue: some ClockedExecutionQueue, within limit: Duration = .seconds(10), file: StaticString = #fileID,
    line: UInt = #line, advancingClock advance: (Duration) -> Void
) throws {
    let trial = QueueTrial(queue, limit, file, line)
    try trial.run()
    try ClockTrial(queue, trial).run(advance)
}
