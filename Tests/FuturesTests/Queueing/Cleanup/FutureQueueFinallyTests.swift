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

@Suite struct FutureQueueFinallyTests {
    private let queue = FutureQueue(resource: "db")
    private let log = Log<String>()

    /// Enqueues an operation that logs everything that happens to it, and another operation behind it.
    private func add(
        runTimeout: Duration? = nil, on scheduler: Scheduler = .immediate,
        _ operation: @escaping @Sendable () throws -> Future<Int>,
        finally cleanup: @escaping @Sendable () throws -> Future<Void> = { Future() }
    ) -> Future<Int> {
        let future = queue.on(scheduler).enqueue(with: .runTimeout(runTimeout)) { [log] db in
            log.add("starts with \(db)")
            return try operation()
        } finally: { [log] db, result in
            log.add("cleans up \(db) after \(word(result))")
            return try cleanup()
        }
        future.onResult(on: .immediate) { [log] in log.add("heard \(word($0))") }
        queue.on(.immediate).enqueue { [log] _ in Future(log.add("next")) }
        return future
    }

    @Test func `a cleanup runs within its operation's turn, before the next operation starts`() {
        let (operation, cleanup) = (Promise<Int>(), Promise<Void>())
        let future = add {
            operation.future
        } finally: {
            cleanup.future
        }
        operation.succeed(1)
        #expect(log.entries == ["starts with db", "cleans up db after 1"])
        #expect(!future.isCompleted)
        cleanup.succeed()
        #expect(log.entries == ["starts with db", "cleans up db after 1", "heard 1", "next"])
        #expect(queue.isEmpty)
    }

    @Test func `a future completes after its cleanup, with a value, an error or a thrown error`() {
        for (result, expected) in [(Result<Int, any Error>.success(1), "1"), (.failure(Oops(2)), "\(Oops(2))")] {
            for throwing in [false, true] {
                let (log, queue) = (Log<String>(), FutureQueue())
                let cleanup = Promise<Void>()
                let future = queue.on(.immediate).enqueue {
                    throwing ? Future(try result.get()) : Future(result: result)
                } finally: { _, result in
                    log.add(word(result))
                    return cleanup.future
                }
                #expect(!future.isCompleted)
                cleanup.succeed()
                #expect(log.entries == [expected])
                #expect(future.result.map(word) == expected)
                #expect(queue.isEmpty)
            }
        }
    }

    @Test func `an operation that was never called has no cleanup`() {
        let gate = Promise<Void>()
        queue.on(.immediate).enqueue { _ in gate.future }
        let future = add { Future(1) }
        future.onResult(on: .immediate) { _ in }
        queue.close(with: Oops(1))
        queue.cancelAll(with: Oops(1))
        gate.succeed()
        #expect(log.entries == ["heard \(Oops(1))"])
        let refused = queue.on(.immediate).enqueue { _ in
            Future(1)
        } finally: { [log] _, _ in
            Future(log.add("clean"))
        }
        #expect(refused.error as? Oops == Oops(1))
        #expect(log.count == 1)
    }

    @Test
    func `a cancelled, aborted or late future completes immediately and keeps its turn until the cleanup ends`() {
        for (number, cause) in ["cancelled", "cancelled", "late"].enumerated() {
            let (queue, log, time) = (FutureQueue(), Log<String>(), VirtualTime())
            let (operation, cleanup) = (Promise<Int>(), Promise<Void>())
            let future = queue.on(time.scheduler).enqueue(with: .runTimeout(.seconds(1))) {
                operation.future
            } finally: { _, result in
                log.add(word(result))
                return cleanup.future
            }
            queue.on(.immediate).enqueue { Future(log.add("next")) }
            time.run()
            switch number {
            case 0: future.cancel()
            case 1: queue.cancelAll()
            default: time.advance(by: .seconds(2))
            }
            #expect(future.result.map(word) == cause)
            #expect(operation.future.isCancelled)
            time.run()
            #expect(log.entries == [cause])
            cleanup.succeed()
            time.run()
            #expect(log.entries == [cause] + (number == 1 ? [] : ["next"]))
            #expect(queue.isEmpty)
        }
    }

    @Test func `a cancel during a cleanup does not reach the cleanup`() {
        let cleanup = Promise<Void>()
        let future = queue.on(.immediate).enqueue { _ in
            Future(1)
        } finally: { [log] _, result in
            log.add(word(result))
            return cleanup.future
        }
        queue.on(.immediate).enqueue { [log] _ in Future(log.add("next")) }
        future.cancel()
        #expect(future.isCancelled)
        #expect(!cleanup.future.isCompleted)
        #expect(log.entries == ["1"])
        cleanup.succeed()
        #expect(log.entries == ["1", "next"])
    }

    @Test func `the time of a cleanup counts toward runTimeout, which does not cancel the cleanup`() {
        let time = VirtualTime()
        let cleanup = Promise<Void>()
        let future = add(runTimeout: .seconds(1), on: time.scheduler) {
            Future(1)
        } finally: {
            cleanup.future
        }
        time.advance(by: .seconds(2))
        #expect(future.error as? QueueError == .runTimedOut(after: .seconds(1)))
        #expect(!cleanup.future.isCompleted)
        cleanup.succeed()
        time.run()
        #expect(log.entries == ["starts with db", "cleans up db after 1", "heard late", "next"])
    }

    @Test func `a repetition runs the operation and its cleanup again, in a new turn`() async throws {
        let runs = Shared(0)
        let future = queue.on(.immediate).enqueue { [log] _ in
            log.add("run \(runs.increment())")
            return runs.value < 3 ? Future(error: Oops(runs.value)) : Future(runs.value)
        } finally: { [log] _, result in
            Future(log.add("clean \(word(result))"))
        }
        .onErrorRepeat(maxRepetitions: 5)
        #expect(try await future.value == 3)
        #expect(
            log.entries == [
                "run 1", "clean \(Oops(1))", "run 2", "clean \(Oops(2))", "run 3", "clean 3",
            ])
    }

    @Test func `a cleanup runs on the scheduler of its operation`() {
        let time = VirtualTime()
        let operation = Promise<Int>()
        let future = queue.on(time.scheduler).enqueue { _ in
            operation.future
        } finally: { [log] _, _ in
            log.add("on its scheduler: \(time.scheduler.isCurrent)")
            return Future()
        }
        time.run()
        operation.succeed(1)
        #expect(log.entries == [])
        time.run()
        #expect(log.entries == ["on its scheduler: true"])
        #expect(future.success == 1)
    }

    @MainActor @Test func `a cleanup of the main actor runs there`() async throws {
        var state: [String] = []
        let queue = FutureQueue(resource: 1, executeOn: .background)
        let future = queue.enqueue { one in
            state.append("operation")
            return Future(one)
        } finally: { _, _ in
            MainActor.preconditionIsolated()
            state.append("cleanup")
            return Future()
        }
        #expect(try await future.value == 1)
        try await queue.run { one in
            state.append("task \(one)")
        } finally: { _, _ in
            state.append("after")
        }.value
        #expect(state == ["operation", "cleanup", "task 1", "after"])
    }
}
