// Cleanups: the last step of a turn. Contract/Turns.md

import Futures
import FuturesTesting
import Testing

/// Describes the result that a cleanup was called with.
private func word<T>(_ result: Result<T, any Error>) -> String {
    switch result {
    case .success(let value): "\(value)"
    case .failure(is CancellationError): "cancelled"
    case .failure(QueueError.runTimedOut): "late"
    case .failure(let error): "\(error)"
    }
}

extension TurnGiver {
    /// Adds an operation, and a cleanup that gets a text for its result.
    fileprivate func add(
        on scheduler: Scheduler = .immediate, _ operation: @escaping @Sendable () throws -> Future<Int>,
        finally cleanup: @escaping @Sendable (String) throws -> Future<Void>
    ) -> Future<Int> {
        on(scheduler).enqueue(with: .runTimeout(.seconds(1))) { _ in
            try operation()
        } finally: {
            try cleanup(word($1))
        }
    }
}

@Suite struct FutureQueueFinallyTests {
    private let queue = FutureQueue(), log = Log<String>(), time = VirtualTime()
    private let operation = Promise<Int>(), cleanup = Promise<Void>()

    /// Adds an operation whose cleanup is logged, and completes with `cleanup`. Another operation is behind it.
    private func add(
        on scheduler: Scheduler = .immediate, _ operation: @escaping @Sendable () throws -> Future<Int>
    ) -> Future<Int> {
        let future = queue.add(on: scheduler, operation) { [log, cleanup] word in
            log.add("cleans up after \(word)", returning: cleanup.future)
        }
        _ = queue.on(.immediate).run { [log] in log.add("next") }
        return future
    }

    @Test func `a cleanup runs within its operation's turn, before the next operation starts`() {
        let future = add { [operation] in operation.future }
        future.onResult(on: .immediate) { [log] in log.add("heard \(word($0))") }
        #expect(log.entries == [])
        operation.succeed(1)
        #expect(log.entries == ["cleans up after 1"])
        #expect(!future.isCompleted)
        cleanup.succeed()
        #expect(log.entries == ["cleans up after 1", "heard 1", "next"])
        #expect(queue.isEmpty)
    }

    @Test(arguments: [Result<Int, any Error>.success(1), .failure(Oops(2))], [false, true])
    func `a future completes after its cleanup, with a value, an error or a thrown error`(
        _ result: Result<Int, any Error>, throwing: Bool
    ) {
        let future = add { throwing ? Future(try result.get()) : Future(result: result) }
        #expect(!future.isCompleted)
        cleanup.succeed()
        #expect(log.entries == ["cleans up after \(word(result))", "next"])
        #expect(future.result.map(word) == word(result))
    }

    @Test func `an operation that was never called has no cleanup`() {
        queue.on(.immediate).enqueue { Future<Int>.never }
        let (waiting, aborted) = (add { Future(1) }, add { Future(1) })
        waiting.cancel()
        queue.close(with: Oops(1))
        queue.cancelAll(with: Oops(1))
        #expect(aborted.error as? Oops == Oops(1))
        #expect(add { Future(1) }.error as? Oops == Oops(1))
        #expect(log.entries == [])
    }

    @Test(arguments: ["cancelled", "aborted", "late"])
    func `a cancelled, aborted or late future completes immediately and keeps its turn until the cleanup ends`(
        _ cause: String
    ) {
        let future = add(on: time.scheduler) { [operation] in operation.future }
        time.run()
        switch cause {
        case "cancelled": future.cancel()
        case "aborted": queue.cancelAll()
        default: time.advance(by: .seconds(2))
        }
        let word = cause == "late" ? "late" : "cancelled"
        #expect(future.result.map(FuturesTests.word) == word)
        #expect(operation.future.isCancelled)
        time.run()
        #expect(log.entries == ["cleans up after \(word)"])
        cleanup.succeed()
        time.run()
        #expect(log.entries.dropFirst() == (cause == "aborted" ? [] : ["next"]))
        #expect(queue.isEmpty)
    }

    @Test func `a cancel or a time limit does not reach a cleanup that has started`() {
        for isLate in [false, true] {
            let (log, cleanup) = (Log<String>(), Promise<Void>())
            let future = queue.add(on: time.scheduler, { Future(1) }) { log.add($0, returning: cleanup.future) }
            time.run()
            if isLate { time.advance(by: .seconds(2)) } else { future.cancel() }
            #expect(future.result.map(word) == (isLate ? "late" : "cancelled"))
            #expect(!cleanup.future.isCompleted)
            #expect(!queue.isEmpty)
            cleanup.succeed()
            #expect(log.entries == ["1"])
            #expect(queue.isEmpty)
        }
    }

    @Test func `a cleanup, on its operation's scheduler, gets the error of a future that ends before it is called`() {
        for (name, _, giver) in turnKinds() {
            let (time, log, operation) = (VirtualTime(), Log<String>(), Promise<Int>())
            let future = giver.add(on: time.scheduler, { operation.future }, finally: { Future(log.add($0)) })
            time.run()
            operation.succeed(1)
            #expect(log.entries == [], "\(name)")
            #expect(future.cancel(), "\(name)")
            time.run()
            #expect(log.entries == ["cancelled"], "\(name)")
        }
    }

    @Test func `the cleanup of a task starts when the task has returned, and is not cancelled with it`() async throws {
        let (started, gate) = (Promise<Void>(), Promise<Void>())
        let future = queue.run { [log] in
            started.succeed()
            _ = await gate.future.shieldedFromCancellation().arrival()
            log.add("returns, cancelled: \(Task.isCancelled)")
            return 1
        } finally: { [log] _, result in
            await Task.yield()
            log.add("cleans up after \(word(result)), cancelled: \(Task.isCancelled)")
        }
        let next = queue.on(.immediate).run { [log] in log.add("next") }
        try await started.future.value
        future.cancel()
        #expect(future.isCancelled)
        gate.succeed()
        try await next.value
        #expect(log.entries == ["returns, cancelled: true", "cleans up after cancelled, cancelled: false", "next"])
    }

    @Test func `the cleanup of a cancelled batch waits for the running operations of its queue`() {
        let batch = Shared<Future<Int>?>(nil)
        batch.value = queue.on(.immediate).enqueueBatch { [time, log] inner in
            inner.on(time.scheduler).enqueue {
                batch.value?.cancel()
                log.add("closure returns")
                return Future<Int>.never
            } finally: { _, result in
                Future(log.add("inner cleanup after \(word(result))"))
            }
            return .never
        } finally: { [log] _, result in
            Future(log.add("outer cleanup after \(word(result))"))
        }
        _ = queue.on(.immediate).run { [log] in log.add("next") }
        time.run()
        let expected = ["closure returns", "inner cleanup after cancelled", "outer cleanup after cancelled", "next"]
        #expect(log.entries == expected)
        #expect(batch.value?.isCancelled == true)
        #expect(queue.isEmpty)
    }

    @Test func `an operation fails whose cleanup waits for one behind it, or for its queue to be empty`() {
        let (here, there) = (FutureError.SourceLocation("here", line: 1), FutureError.SourceLocation("there", line: 2))
        let empty = FutureQueue()
        let ways: [(FutureQueue<Void>, QueueError, @Sendable () -> Future<Void>)] = [
            (
                queue, .deadlock(running: here, waiting: there),
                { [queue] in queue.on(.immediate).enqueue(file: "there", line: 2) { Future() } }
            ),
            (empty, .deadlock(running: here, waiting: here), { empty.drained() }),
        ]
        for (queue, error, wait) in ways {
            let future = queue.on(.immediate).enqueue(file: "here", line: 1) {
                Future(1)
            } finally: { _, _ in
                wait()
            }
            expectDeadlocks { future.isCompleted }
            #expect(future.error as? QueueError == error)
            // Nothing cancels a cleanup, so the queue is blocked.
            #expect(queue.runningCount == 1)
            queue.cancelWaiting()
        }
    }
}
