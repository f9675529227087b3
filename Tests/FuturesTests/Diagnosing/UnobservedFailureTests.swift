// Diagnosing: which failures are reported because nothing has observed them.

import Futures
import FuturesDiagnostics
import Testing

/// Recording is a switch of the process, so each of these runs in a process of its own.
@Suite struct UnobservedFailureTests {
    /// What a process has been told of.
    final class Events: Sendable {
        private let texts = Guarded<[String]>([])

        init() {
            Diagnostics.limits = .none
            Diagnostics.onEvent { [texts] event in texts.with { $0.append("\(event)") } }
            Diagnostics.isOn = true
        }

        /// Waits for so many events, and returns these and all others until now. Events come in their order.
        func take(_ count: Int) async -> [String] {
            while texts.with({ $0.count }) < count { await Task.yield() }
            _ = Promise<Int>(file: "marker", line: 1)
            while !texts.with({ $0.contains { $0.contains("marker:1") } }) { await Task.yield() }
            return texts.with { texts in
                defer { texts = [] }
                return texts.filter { !$0.contains("marker:1") }
            }
        }
    }

    struct Failing: Progression {
        var result: Int? { nil }
        func next() -> Deferred<Failing> { Deferred { throw Oops() } }
    }

    enum Kind: String, Codable, CaseIterable, Sendable {
        case thrown, failed, promise, laterPromise, operation, map, retry, repetition, collected, deferred
        case deferredRetry, progression, mappedProgression, withoutHistory, traversal, asyncTraversal, task, queue, pool
        case hedged, timeout, cache

        /// Makes a future that fails, and releases it.
        func drop() {
            let policy = RetryPolicy(.constant(.zero), maxRepetitions: 1)
            let failing: @Sendable () -> Future<Int> = { Future(on: .immediate) { throw Oops() } }
            switch self {
            case .thrown: _ = failing()
            case .failed: _ = Future<Int>(error: Oops())
            case .promise: Promise<Int>().fail(Oops())
            case .laterPromise:
                let promise = Promise<Int>()
                Scheduler.background.async { promise.fail(Oops()) }
            case .operation:
                _ = Future<Int> { completion in
                    Scheduler.background.async { completion(.failure(Oops())) }
                    return NilDisposer()
                }
            case .map: _ = failing().map(on: .background) { $0 + 1 }
            case .retry: _ = failing().retry(policy, on: .background)
            case .repetition: _ = failing().onErrorRepeat(on: .background, maxRepetitions: 1)
            case .collected: _ = failing().repeatAndCollect(on: .background, maxRepetitions: 1)
            case .deferred: _ = Deferred<Int> { throw Oops() }.map { $0 }.start()
            case .deferredRetry: _ = Deferred<Int> { throw Oops() }.retry(policy).start()
            case .progression: _ = Failing().run()
            case .mappedProgression: _ = Failing().map { $0 }.run()
            case .withoutHistory: _ = failing().withoutHistory()
            case .traversal: _ = [1, 2].mapToFuture(on: .background) { _ in failing() }
            case .asyncTraversal: _ = elements.mapToFuture(on: .background) { _ in failing() }
            case .task:
                _ = Future<Int> {
                    await Task.yield()
                    throw Oops()
                }
            case .queue: FutureQueue().on(.background).enqueue { failing() }
            case .pool:
                ResourcePool<Int>(maxCount: 1, callTimeout: testTimeout) { Future(1) }.on(.background).enqueue { _ in
                    failing()
                }
            case .hedged: _ = failing().hedged(after: .seconds(100), on: .background)
            case .timeout: _ = failing().timeout(after: .seconds(100), on: .background)
            case .cache: _ = FutureCache<Int, Int>(maxCount: 1).future(on: .background, for: 1) { failing() }
            }
        }

        private var elements: AsyncStream<Int> {
            AsyncStream { continuation in
                continuation.yield(1)
                continuation.finish()
            }
        }
    }

    @Test func `the failure of a future of any kind is reported once`() async {
        await #expect(processExitsWith: .success) {
            let events = Events()
            for kind in Kind.allCases {
                kind.drop()
                let texts = await events.take(1)
                #expect(texts.count == 1 && texts[0].hasPrefix("Nothing observed the error"), "\(kind): \(texts)")
            }
        }
    }

    @Test func `a failure that the library passes on is not reported where it came from`() async {
        await #expect(processExitsWith: .success) {
            let events = Events()
            let elements = AsyncStream<Int> { continuation in
                continuation.yield(1)
                continuation.finish()
            }
            _ = await elements.mapToFuture(on: .immediate) { _ in Future<Int>(error: Oops()) }.arrival()
            let more = AsyncStream<Int> { continuation in
                continuation.yield(1)
                continuation.finish()
            }
            _ = await more.forEachToFuture(on: .immediate) {
                Future($0)
            } onResult: { _ in
                throw Oops()
            }.arrival()
            #expect(await events.take(0) == [])
            let pool = ResourcePool<Int>(maxCount: 1, callTimeout: testTimeout, create: { Future(error: Oops()) })
            _ = await pool.on(.immediate).enqueue { _ in Future(1) }.arrival()
            _ = await pool.prewarm(1).arrival()
            #expect(await events.take(0) == [])
            let checks = Guarded(0)
            let checking = ResourcePool<Int>(maxCount: 1, callTimeout: testTimeout) {
                Future(1)
            } check: { _ in
                if checks.with({
                    $0 += 1; return $0
                }) == 1 {
                    throw Oops()
                }
                return Future(true)
            }
            for _ in 0..<3 { _ = await checking.on(.immediate).enqueue { Future($0) }.arrival() }
            #expect(checks.with { $0 } > 0)
            #expect(await events.take(0) == [])
            let promise = Promise<Int>()
            promise.complete(with: Future(error: Oops()))
            _ = await promise.future.arrival()
            #expect(await events.take(0) == [])
        }
    }

    @Test func `an asynchronous operation with a cleanup is reported only if nothing observes its failure`() async {
        await #expect(processExitsWith: .success) {
            let (events, queue, gate) = (Events(), FutureQueue(), Promise<Int>())
            let running = queue.on(.immediate).enqueue { gate.future }
            let (mutex, keyed) = (FutureMutex(), KeyedFutureQueue<Int>())
            let pool = ResourcePool<Int>(maxCount: 1, callTimeout: testTimeout, create: { Future(1) })
            let fail: @Sendable (Int) async throws -> Int = { _ in throw Oops() }
            let clean: @Sendable () async throws -> Void = {}
            // Those that do not get their turn.
            func waiting(_ limit: Duration? = nil) -> Future<Int> {
                queue.on(.background).run(with: .waitTimeout(limit), { 1 }, finally: { _, _ in try await clean() })
            }
            for _ in 0..<20 {
                let cancelled = waiting()
                cancelled.cancel()
                _ = await cancelled.arrival()
                _ = await waiting(.zero).arrival()
                let aborted = waiting()
                queue.cancelWaiting()
                _ = await aborted.arrival()
                // Those that fail.
                let failing = [
                    mutex.on(.background).run({ try await fail(0) }, finally: { _, _ in try await clean() }),
                    pool.on(.background).run(fail, finally: { _, _ in try await clean() }),
                    keyed[1].on(.background).run({ try await fail(0) }, finally: { _, _ in try await clean() }),
                ]
                for future in failing { _ = await future.arrival() }
            }
            queue.close()
            for _ in 0..<20 { _ = await waiting().arrival() }
            gate.succeed(1)
            _ = await running.arrival()
            #expect(await events.take(0) == [])
            _ = FutureQueue().on(.background).run({ try await fail(0) }, finally: { _, _ in try await clean() })
            let texts = await events.take(1)
            #expect(texts.count == 1 && texts[0].contains("run in FuturesTests."), "\(texts)")
        }
    }
}
