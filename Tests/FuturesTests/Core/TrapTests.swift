// Traps: their messages have the file and line of the caller. Contract/Life.md

import Futures
import FuturesTesting
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite struct TrapTests {
    @Test(arguments: Trap.allCases)
    func `a trap names the file and line of the call`(_ trap: Trap) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [trap] in
            try await trap.run()
        }
        expectTrap(result, saying: "FuturesTests/TrapTests.swift:")
    }

    enum Trap: String, Codable, CaseIterable, Sendable {
        case queue, queueWithResource, queueOnScheduler, waitingCount, batch, keyedQueue, keyedCount, semaphore, rate
        case pool, poolWaiting, cache, line, first, mapToFuture, mapResults, forEach, joined, errorRepeat, valueRepeat
        case resultRepeat, collect, policy, budget, constant, linear, exponential, decorrelated, perform, sync, executor
        case signal, clock

        func run() async throws {
            let (one, numbers) = (Future(1), [1, 2])
            switch self {
            case .queue: _ = FutureQueue(maxConcurrentCount: 0)
            case .queueWithResource: _ = FutureQueue(resource: 1, maxConcurrentCount: 0)
            case .queueOnScheduler: _ = FutureQueue(resource: 1, maxConcurrentCount: 0, executeOn: .background)
            case .waitingCount: _ = FutureQueue(maxWaitingCount: -1)
            case .batch: FutureQueue().enqueueBatch(on: .immediate, maxConcurrentCount: 0) { _ in Future(1) }
            case .keyedQueue: _ = KeyedFutureQueue<Int>(maxConcurrentCount: 0)
            case .keyedCount: _ = KeyedFutureQueue<Int>(maxConcurrentCountPerKey: 0)
            case .semaphore: _ = FutureSemaphore(count: 0)
            case .rate: _ = RateLimit(0, per: .seconds(1))
            case .pool: _ = ResourcePool(maxCount: 0) { Future(1) }
            case .poolWaiting: _ = ResourcePool(maxCount: 1, maxWaitingCount: -1) { Future(1) }
            case .cache: _ = FutureCache<Int, Int>(maxCount: 0)
            case .line: _ = ProductionLine<Stage>(maxConcurrentCount: 0)
            case .first: _ = Futures.first(-1, of: [one])
            case .mapToFuture: _ = numbers.mapToFuture(on: .immediate, maxConcurrentCount: 0) { Future($0) }
            case .mapResults: _ = numbers.mapToFutureResults(maxConcurrentCount: 0) { Future($0) }
            case .forEach: numbers.forEachToFuture(maxConcurrentCount: 0, { Future($0) }, onResult: { _ in })
            case .joined: _ = [Deferred { 1 }].joined(maxConcurrentCount: 0).start(on: .immediate)
            case .errorRepeat: _ = one.onErrorRepeat(maxRepetitions: -1)
            case .valueRepeat: _ = one.onValueRepeat(maxRepetitions: -1) { _ in true }
            case .resultRepeat: _ = one.onResultRepeat(on: .immediate, maxRepetitions: -1) { _ in Future(true) }
            case .collect: _ = one.repeatAndCollect(maxRepetitions: -1)
            case .policy: _ = RetryPolicy(.constant(.zero), maxRepetitions: -1)
            case .budget: _ = RetryBudget(ratio: -1)
            case .constant: _ = Backoff.constant(.seconds(-1))
            case .linear: _ = Backoff.linear(from: .zero, by: .seconds(-1))
            case .exponential: _ = Backoff.exponential(from: .zero, factor: 0, upTo: .zero)
            case .decorrelated: _ = Backoff.decorrelated(from: .seconds(-1), upTo: .zero)
            case .perform: try await Ward().place().value.perform {}
            case .sync: try await Ward().place().value.sync {}
            case .executor: _ = SchedulerExecutor(.concurrentBackground)
            case .signal: _ = ProcessSignal(SIGKILL)
            case .clock: VirtualTime().advance(by: .seconds(-1))
            }
        }
    }
}

private actor Ward {
    /// The actor's scheduler.
    func place() -> Future<Scheduler> {
        Future(1).map { _ in
            self.touch(); return .current
        }
    }

    private func touch() {}
}

private struct Stage: SteppingProgression {
    var result: Int? { 1 }
    mutating func step() {}
}
