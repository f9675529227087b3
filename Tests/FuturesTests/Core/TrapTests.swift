// Traps: their messages have the file and line of the caller.

import Futures
import FuturesTesting
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite struct TrapTests {
    @Test(arguments: traps.indices) func `a trap names the file and line of the call`(_ trap: Int) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [trap] in
            try await TrapTests.traps[trap].value()
        }
        expectTrap(result, saying: "FuturesTests/TrapTests.swift:")
        expectTrap(result, saying: Self.traps[trap].key)
    }

    private typealias Traps = KeyValuePairs<String, @Sendable () async throws -> Void>

    private static let counts: Traps = [
        "maxConcurrentCount must be at least 1": { _ = FutureQueue(maxConcurrentCount: 0) },
        "maxWaitingCount must not be negative. Use 0 to refuse": { _ = FutureQueue(maxWaitingCount: -1) },
        "maxConcurrentCount must be at least 1":
            { FutureQueue().on(.immediate).enqueueBatch(maxConcurrentCount: 0) { _ in Future(1) } },
        "PerKey must be at least 1": { _ = KeyedFutureQueue<Int>(maxConcurrentCountPerKey: 0) },
        "A semaphore's count must be at least 1": { _ = FutureSemaphore(count: 0) },
        "The limit of FutureSemaphore made at": { FutureSemaphore(count: 1).count = 0 },
        "The maxCount of ResourcePool made at": { ResourcePool(maxCount: 1) { Future(1) }.maxCount = 0 },
        "A rate needs a count and a burst of at least 1": { _ = RateLimit(0, per: .seconds(1)) },
        "A pool's maxCount must be at least 1":
            { _ = ResourcePool(maxCount: 0, callTimeout: testTimeout) { Future(1) } },
        "The permit of a pool was released, or comes from another pool": {
            let pool = ResourcePool(maxCount: 1, on: .immediate) { Future(1) }
            if let permit = try? pool.acquire().result?.get() {
                permit.release()
                _ = pool[permit]
            }
        },
        "To share runs and keep nothing, use a SingleFlight.": { _ = FutureCache<Int, Int>(maxCount: 0) },
        "The number of values to wait for must not be negative": { _ = Future.first(-1, of: [Future(1)]) },
        "maxConcurrentCount must be at least 1":
            { _ = [1, 2].mapToFuture(on: .immediate, maxConcurrentCount: 0) { Future($0) } },
        "maxRepetitions must not be negative. Use 0 for no repetition":
            { _ = Future(1).onErrorRepeat(maxRepetitions: -1) },
        "maxRepetitions must not be negative": { _ = RetryPolicy(.constant(.zero), maxRepetitions: -1) },
        "A retry budget's numbers must not be negative": { _ = RetryBudget(ratio: -1) },
        "A delay must not be negative. Use zero for none.": { _ = RetryPolicy.constant(.seconds(-1)) },
        "the factor must be a finite number of at least 1":
            { _ = RetryPolicy.exponential(from: .zero, factor: 0, upTo: .zero) },
        "maxFailures and trials must be at least 1": { _ = CircuitBreaker(maxFailures: 0, resetTimeout: .zero) },
        "durations not negative": { _ = CircuitBreaker(maxFailures: 1, resetTimeout: .seconds(-1)) },
    ]

    private static let traps = Array(counts) + Array(others)

    private static let others: Traps = [
        "isolated to its actor could run here. Use async or sync.": { try await Ward().place().value.perform {} },
        "sync cannot wait for an actor. Use async(_:)": { try await Ward().place().value.sync {} },
        "Create one with Scheduler(label:).": { _ = SchedulerExecutor(.background) },
        "would turn back the clock": { VirtualTime().advance(by: .seconds(-1)) },
        "another thread is moving this clock": {
            let time = VirtualTime()
            time.scheduler.async { onAnotherThread { time.run() } }
            time.run()
        },
        "is no timeline. Draw one - for each tick": { _ = VirtualTime().future("-1-") },
        "Pass a positive duration.": { _ = VirtualTime().timeline(of: Future(1), tick: .zero) },
        "would inject nothing. Pass a positive number.": { VirtualTime().inject(.cancel, at: "a", times: 0) },
        "Simulation.inject was called outside of a simulation": { Simulation.inject(.cancel, at: "a") },
        "was called outside of a simulation": { try Simulation.expectNeverCompletes(Future(1)) },
        "would try nothing. Pass a positive number.": { try Simulation.explore(runs: 0) {} },
        "Pass the one that a Simulation.Failure prints.": { try Simulation.replay("junk", seed: 1) {} },
        "Start it after that has ended.": { try Simulation.run(seed: 1) { try Simulation.run(seed: 2) {} } },
    ]
}

private actor Ward {
    func place() -> Future<Scheduler> {
        Future(1).map { _ in
            self.touch(); return .current
        }
    }

    private func touch() {}
}
