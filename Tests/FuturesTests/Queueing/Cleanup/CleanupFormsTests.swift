// Cleanups of batches, tasks, keys, locks and pools.

import Futures
import FuturesTesting
import Testing

@Suite struct CleanupFormsTests {
    private let log = Log<String>()

    private func word<T>(_ result: Result<T, any Error>) -> String {
        switch result {
        case .success(let value): "\(value)"
        case .failure(is CancellationError): "cancelled"
        case .failure(QueueError.runTimedOut): "late"
        case .failure(let error): "\(error)"
        }
    }

    @Test func `the cleanup of a batch starts when its future has completed and its queue is empty`() {
        let queue = FutureQueue(resource: "db")
        let (done, gate, cleanup) = (Promise<Int>(), Promise<Int>(), Promise<Void>())
        let batch = queue.on(.immediate).batch().enqueue { batch in
            batch.on(.immediate).enqueue { _ in gate.future }
            return done.future
        } finally: { [log] db, result in
            log.add("cleans up \(db) after \(word(result))")
            return cleanup.future
        }
        queue.on(.immediate).enqueue { [log] _ in Future(log.add("next")) }
        done.succeed(1)
        #expect(log.entries == [])
        gate.succeed(2)
        #expect(log.entries == ["cleans up db after 1"])
        #expect(!batch.isCompleted)
        cleanup.succeed()
        #expect(batch.success == 1)
        #expect(log.entries == ["cleans up db after 1", "next"])
    }

    @Test func `the cleanup of a cancelled batch waits for the running operations of its queue`() {
        let queue = FutureQueue()
        let time = VirtualTime()
        let futures = Log<Future<Int>>()
        let batch = Shared<Future<Int>?>(nil)
        batch.value = queue.on(.immediate).batch().enqueue { inner in
            futures.add(
                inner.on(time.scheduler).enqueue { [log] in
                    batch.value?.cancel()
                    log.add("closure returns")
                    return .never
                } finally: { [log] _, result in
                    Future(log.add("inner cleanup after \(word(result))"))
                })
            futures.add(inner.on(.immediate).enqueue { Future(2) })
            return .never
        } finally: { [log] _, result in
            Future(log.add("outer cleanup after \(word(result))"))
        }
        queue.on(.immediate).enqueue { [log] in Future(log.add("next")) }
        time.run()
        #expect(
            log.entries == [
                "closure returns", "inner cleanup after cancelled", "outer cleanup after cancelled", "next",
            ])
        #expect(batch.value?.isCancelled == true)
        #expect(futures.entries.allSatisfy { $0.isCancelled })
        #expect(queue.isEmpty)
    }

    @Test func `a batch reports failed cleanups as its queue does`() {
        let queue = FutureQueue()
        queue.onCleanupFailure { [log] in log.add("\($0)") }
        queue.on(.immediate).batch().enqueue { batch in
            batch.on(.immediate).enqueue {
                Future(1)
            } finally: { _, _ in
                throw Oops(1)
            }
        } finally: { _, _ in
            throw Oops(2)
        }
        #expect(log.entries == ["\(Oops(1))", "\(Oops(2))"])
    }

    @Test func `the cleanup of a task starts when the task has returned, and is not cancelled with it`() async throws {
        let queue = FutureQueue(resource: "db")
        let (started, gate) = (Promise<Void>(), Promise<Void>())
        let future = queue.run { [log] db in
            log.add("starts with \(db)")
            started.succeed()
            _ = await gate.future.shieldedFromCancellation().arrival()
            log.add("returns, cancelled: \(Task.isCancelled)")
            return 1
        } finally: { [log] db, result in
            try await Future(on: .background) { completion in
                completion(.success(()))
                return NilDisposer()
            }.value
            log.add("cleans up \(db) after \(word(result)), cancelled: \(Task.isCancelled)")
        }
        let next = queue.on(.immediate).enqueue { [log] _ in Future(log.add("next")) }
        try await started.future.value
        future.cancel()
        #expect(future.isCancelled)
        gate.succeed()
        try await next.value
        #expect(
            log.entries == [
                "starts with db", "returns, cancelled: true", "cleans up db after cancelled, cancelled: false", "next",
            ])
    }

    @Test func `a task with a cleanup succeeds, throws, is late or never called`() async throws {
        let queue = FutureQueue()
        func add(_ body: @escaping @Sendable () async throws -> Int) -> Future<Int> {
            queue.run(body) { [log] _, result in log.add(word(result)) }
        }
        #expect(try await add { 1 }.value == 1)
        #expect(await add { throw Oops(2) }.arrival().error as? Oops == Oops(2))
        let (time, hasStarted) = (VirtualTime(), Shared(false))
        let late = queue.on(time.scheduler).run(with: .runTimeout(.seconds(1))) {
            hasStarted.value = true
            // Suspends until the task is cancelled.
            _ = try? await Future<Void>.never.value
            return 3
        } finally: { [log] _, result in
            log.add(word(result))
        }
        #expect(await comesTrue(while: { time.run() }) { hasStarted.value })
        time.advance(by: .seconds(2))
        #expect(late.error as? QueueError == .runTimedOut(after: .seconds(1)))
        #expect(await comesTrue(while: { time.run() }) { queue.isEmpty })
        let gate = Promise<Void>()
        queue.on(.immediate).enqueue { gate.future }
        let waiting = add { 4 }
        waiting.cancel()
        gate.succeed()
        #expect(waiting.isCancelled)
        #expect(
            await queue.run {
                5
            } finally: { _, _ in
                throw Oops(6)
            }.arrival().error as? Oops == Oops(6))
        try await queue.drained().value
        #expect(log.entries == ["1", "\(Oops(2))", "late"])
    }

    @Test func `a cleanup of a queue without a resource gets Void and the result, in all forms`() async throws {
        let queue = FutureQueue()
        let cleanup: @Sendable (Void, Result<Int, any Error>) -> Future<Void> = { [log] in Future(log.add(word($1))) }
        let task: @Sendable (Void, Result<Int, any Error>) async -> Void = { [log] in log.add("task \(word($1))") }
        let futures = [
            queue.enqueue({ Future(1) }, finally: cleanup),
            queue.on(.immediate).enqueue({ Future(2) }, finally: cleanup),
            queue.batch.enqueue({ _ in Future(3) }, finally: cleanup),
            queue.on(.immediate).batch().enqueue({ _ in Future(4) }, finally: cleanup),
            queue.run({ 5 }, finally: task),
            queue.on(.background).run({ 6 }, finally: task),
            queue.batch.run({ _ in 7 }, finally: task),
            queue.on(.background).batch().run({ _ in 8 }, finally: task),
            queue.on(.immediate).batch().enqueue { _ in
                Future(9)
            } finally: {
                cleanup((), $1)
            },
        ]
        for (index, future) in futures.enumerated() { #expect(try await future.value == index + 1) }
        #expect(log.entries == ["1", "2", "3", "4", "task 5", "task 6", "task 7", "task 8", "9"])
    }
}
