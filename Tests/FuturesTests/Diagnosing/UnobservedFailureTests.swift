// Diagnosing: which failures are reported because nothing has observed them.

import Futures
import FuturesDiagnostics
import Testing

@Suite struct UnobservedFailureTests {
    /// What a process has been told of.
    final class Events: Sendable {
        private let texts = Shared<[String]>([])

        init() {
            Diagnostics.limits = .none
            Diagnostics.onEvent { [texts] event in texts.change { $0.append("\(event)") } }
            Diagnostics.isOn = true
        }

        /// Waits for so many events, and returns these and all others until now. Events come in their order.
        func take(_ count: Int) async -> [String] {
            while texts.value.count < count { await Task.yield() }
            _ = Promise<Int>(file: "marker", line: 1)
            while !texts.change({ $0.contains { $0.contains("marker:1") } }) { await Task.yield() }
            return texts.takeAll().filter { !$0.contains("marker:1") }
        }
    }

    /// Each makes a future that fails, and releases it.
    private static let drops: [@Sendable () -> Void] = [
        { _ = Future<Int>(error: Oops()) },
        { Promise<Int>().fail(Oops()) },
        {
            let promise = Promise<Int>()
            Scheduler.background.async { promise.fail(Oops()) }
        },
        { _ = failing().map(on: .background) { $0 + 1 } },
        { _ = failing().retry(RetryPolicy(.constant(.zero), maxRepetitions: 1), on: .background) },
        { _ = failing().repeatAndCollect(on: .background, maxRepetitions: 1) },
        { _ = Deferred<Int> { throw Oops() }.map { $0 }.start() },
        { _ = [1, 2].mapToFuture(on: .background) { _ in failing() } },
        { _ = elements().mapToFuture { _ in failing() } },
        {
            _ = Future<Int> {
                await Task.yield()
                throw Oops()
            }
        },
        { FutureQueue().on(.background).enqueue { failing() } },
        { _ = failing().timeout(after: .seconds(100), on: .background) },
        // The second error of a join, which fails with the first one.
        { join([failing(), failing()]).onError(on: .immediate) { _ in } },
        {
            let (first, second) = (Promise<Int>(), Promise<Int>())
            join([first.future, second.future], cancelNonCompleted: false).onError(on: .immediate) { _ in }
            first.fail(Oops())
            second.fail(Oops())
        },
        { _ = FutureCache<Int, Int>(maxCount: 1).future(on: .background, for: 1) { failing() } },
    ]

    @Sendable private static func failing() -> Future<Int> { Future(on: .immediate) { throw Oops() } }

    private static func elements() -> AsyncStream<Int> {
        AsyncStream { continuation in
            continuation.yield(1)
            continuation.finish()
        }
    }

    @Test func `the failure of a future of any kind is reported once`() async {
        await #expect(processExitsWith: .success) {
            let events = Events()
            for (index, drop) in UnobservedFailureTests.drops.enumerated() {
                drop()
                let texts = await events.take(1)
                #expect(texts.count == 1 && texts[0].hasPrefix("Nothing observed the error"), "\(index): \(texts)")
            }
        }
    }

    @Test func `a failure that the library passes on is not reported where it came from`() async {
        await #expect(processExitsWith: .success) {
            let events = Events()
            let elements = UnobservedFailureTests.elements()
            _ = await elements.mapToFuture { _ in Future<Int>(error: Oops()) }.arrival()
            #expect(await events.take(0) == [])
            let pool = ResourcePool<Int>(maxCount: 1, callTimeout: testTimeout, create: { Future(error: Oops()) })
            _ = await pool.on(.immediate).enqueue { _ in Future(1) }.arrival()
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
            let fail: @Sendable () async throws -> Int = { throw Oops() }
            let clean: @Sendable (Void, Result<Int, any Error>) async throws -> Void = { _, _ in }
            for _ in 0..<20 { _ = await queue.on(.background).run(fail, finally: clean).arrival() }
            queue.on(.immediate).enqueue { gate.future }
            // Those that do not get their turn.
            for _ in 0..<20 {
                let cancelled = queue.on(.background).run({ 1 }, finally: clean)
                cancelled.cancel()
                _ = await cancelled.arrival()
                _ = await queue.on(.background).run(with: .waitTimeout(.zero), { 1 }, finally: clean).arrival()
                let aborted = queue.on(.background).run({ 1 }, finally: clean)
                queue.cancelWaiting()
                _ = await aborted.arrival()
            }
            gate.succeed(1)
            #expect(await events.take(0) == [])
            _ = FutureQueue().on(.background).run(fail, finally: clean)
            let texts = await events.take(1)
            #expect(texts.count == 1 && texts[0].contains("run in FuturesTests."), "\(texts)")
        }
    }
}
