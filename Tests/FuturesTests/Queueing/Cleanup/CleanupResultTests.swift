// Cleanups: the result, if the future ends while its cleanup waits.

import Futures
import FuturesTesting
import Testing

private typealias Cleaning = @Sendable (Result<Int, any Error>) -> Void

/// Describes the result that a cleanup was called with.
private func word(_ result: Result<Int, any Error>) -> String {
    switch result {
    case .success(let value): "\(value)"
    case .failure(is CancellationError): "cancelled"
    case .failure(QueueError.runTimedOut): "late"
    case .failure(let error): "\(error)"
    }
}

@Suite struct CleanupResultTests {
    /// Adds an operation with a cleanup.
    private typealias Form = (
        name: String,
        add: @Sendable (Scheduler, @escaping @Sendable () -> Future<Int>, @escaping Cleaning) -> Future<Int>
    )

    /// Adds an asynchronous operation with a cleanup.
    private typealias TaskForm = (
        name: String,
        add: @Sendable (Scheduler, @escaping @Sendable () async throws -> Int, @escaping Cleaning) -> Future<Int>
    )

    private static let forms: [Form] = [
        ("queue", { s, work, clean in FutureQueue().on(s).enqueue(work) { Future(clean($1)) } }),
        (
            "resource",
            { s, work, clean in
                FutureQueue(resource: 1).on(s).enqueue { _ in
                    work()
                } finally: {
                    Future(clean($1))
                }
            }
        ),
        (
            "batch",
            { s, work, clean in FutureQueue().on(s).batch().enqueue({ _ in work() }, finally: { Future(clean($1)) }) }
        ),
        ("key", { s, work, clean in KeyedFutureQueue<Int>()[1].on(s).enqueue(work) { Future(clean($1)) } }),
        ("semaphore", { s, work, clean in FutureSemaphore(count: 1).on(s).enqueue(work) { Future(clean($1)) } }),
        ("mutex", { s, work, clean in FutureMutex().on(s).enqueue(work) { Future(clean($1)) } }),
        ("reader", { s, work, clean in FutureReadWriteLock().reading.on(s).enqueue(work) { Future(clean($1)) } }),
        ("writer", { s, work, clean in FutureReadWriteLock().writing.on(s).enqueue(work) { Future(clean($1)) } }),
        (
            "pool",
            { s, work, clean in
                ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) { Future(1) }.on(s).enqueue { _ in
                    work()
                } finally: {
                    Future(clean($1))
                }
            }
        ),
    ]

    private static let taskForms: [TaskForm] = [
        ("queue", { s, work, clean in FutureQueue().on(s).run(work) { clean($1) } }),
        (
            "batch",
            { s, work, clean in FutureQueue().on(s).batch().run({ _ in try await work() }, finally: { clean($1) }) }
        ),
        ("key", { s, work, clean in KeyedFutureQueue<Int>()[1].on(s).run(work) { clean($1) } }),
        ("semaphore", { s, work, clean in FutureSemaphore(count: 1).on(s).run(work) { clean($1) } }),
        ("mutex", { s, work, clean in FutureMutex().on(s).run(work) { clean($1) } }),
        ("reader", { s, work, clean in FutureReadWriteLock().reading.on(s).run(work) { clean($1) } }),
        ("writer", { s, work, clean in FutureReadWriteLock().writing.on(s).run(work) { clean($1) } }),
        (
            "pool",
            { s, work, clean in
                ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) { Future(1) }.on(s).run { _ in
                    try await work()
                } finally: {
                    clean($1)
                }
            }
        ),
    ]

    @Test func `a cleanup gets the error of its future if that ends before the cleanup is called`() {
        for form in Self.forms {
            let (time, log, operation) = (VirtualTime(), Log<String>(), Promise<Int>())
            let future = form.add(time.scheduler, { operation.future }, { log.add(word($0)) })
            time.run()
            operation.succeed(1)
            #expect(log.entries == [], "\(form.name)")
            #expect(future.cancel(), "\(form.name)")
            time.run()
            #expect(log.entries == ["cancelled"], "\(form.name)")
        }
    }

    @MainActor @Test
    func `a cleanup gets the error of an abort or a time limit that comes before it is called`() async {
        for isAborted in [true, false] {
            let (time, log, operation) = (VirtualTime(), Log<String>(), Promise<Int>())
            let queue = FutureQueue(executeOn: time.scheduler)
            // Not isolated, unlike the cleanup, which waits for the main actor while this test uses it.
            let work: @Sendable () -> Future<Int> = { operation.future }
            let future = queue.enqueue(with: .runTimeout(.seconds(1)), work) { _, result in
                MainActor.preconditionIsolated()
                return Future(log.add(word(result)))
            }
            time.run()
            onAnotherThread { operation.succeed(1) }
            if isAborted { queue.cancelAll() } else { time.advance(by: .seconds(2)) }
            #expect(log.entries == [])
            #expect(await comesTrue { queue.isEmpty })
            #expect(log.entries == [isAborted ? "cancelled" : "late"])
            #expect(future.result.map(word) == log.entries.first)
        }
    }

    @Test func `the cleanup of a task gets the error of its future if that ends before the cleanup is called`() async {
        for form in Self.taskForms {
            let (time, log, operation) = (VirtualTime(), Log<String>(), Promise<Int>())
            let (hasStarted, isCancelled) = (Shared(false), Shared(false))
            let future = form.add(
                time.scheduler,
                {
                    hasStarted.value = true
                    return try await operation.future.value
                }, { log.add(word($0)) })
            #expect(await comesTrue(while: { time.run() }) { hasStarted.value })
            // The task resumes ahead of the cancel, and ends; the task of its cleanup starts behind it.
            operation.succeed(1)
            time.scheduler.async { isCancelled.value = future.cancel() }
            #expect(await comesTrue(while: { time.run() }) { log.count == 1 })
            #expect(isCancelled.value && future.isCancelled, "\(form.name)")
            #expect(log.entries == ["cancelled"], "\(form.name)")
        }
    }
}
