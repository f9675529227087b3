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
    @Test(arguments: Trap.allCases)
    func `a trap names the file and line of the call`(_ trap: Trap) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [trap] in
            try await trap.run()
        }
        expectTrap(result, saying: "FuturesTests/TrapTests.swift:")
        expectTrap(result, saying: trap.message)
    }

    @Test func `a process that has no file left for signals traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var limit = rlimit(rlim_cur: 0, rlim_max: 0)
            #if canImport(Glibc)
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            #else
                setrlimit(RLIMIT_NOFILE, &limit)
            #endif
            _ = ProcessSignal(SIGTERM).future()
        }
        expectTrap(result, saying: "too many files are open")
    }

    enum Trap: String, Codable, CaseIterable, Sendable {
        case queue, queueWithResource, queueOnScheduler, waitingCount, batch, keyedQueue, keyedCount, semaphore, rate
        case pool, poolWaiting, cache, first, mapToFuture, mapResults, forEach, joined, errorRepeat, valueRepeat
        case resultRepeat, collect, policy, budget, constant, exponential, decorrelated, perform, sync, executor
        case signal, clock, timeline, tick, inject, injectOutside, never, explore, replay, nested

        func run() async throws {
            let (one, numbers) = (Future(1), [1, 2])
            switch self {
            case .queue: _ = FutureQueue(maxConcurrentCount: 0)
            case .queueWithResource: _ = FutureQueue(resource: 1, maxConcurrentCount: 0)
            case .queueOnScheduler: _ = FutureQueue(resource: 1, maxConcurrentCount: 0, executeOn: .background)
            case .waitingCount: _ = FutureQueue(maxWaitingCount: -1)
            case .batch: FutureQueue().on(.immediate).batch().enqueue(maxConcurrentCount: 0) { _ in Future(1) }
            case .keyedQueue: _ = KeyedFutureQueue<Int>(maxConcurrentCount: 0)
            case .keyedCount: _ = KeyedFutureQueue<Int>(maxConcurrentCountPerKey: 0)
            case .semaphore: _ = FutureSemaphore(count: 0)
            case .rate: _ = RateLimit(0, per: .seconds(1))
            case .pool: _ = ResourcePool(maxCount: 0, callTimeout: testTimeout) { Future(1) }
            case .poolWaiting:
                _ = ResourcePool(maxCount: 1, callTimeout: testTimeout, maxWaitingCount: -1) { Future(1) }
            case .cache: _ = FutureCache<Int, Int>(maxCount: 0)
            case .first: _ = Future.first(-1, of: [one])
            case .mapToFuture: _ = numbers.mapToFuture(on: .immediate, maxConcurrentCount: 0) { Future($0) }
            case .mapResults: _ = numbers.mapToFutureResults(maxConcurrentCount: 0) { Future($0) }
            case .forEach: numbers.forEachToFuture(maxConcurrentCount: 0, { Future($0) }, onResult: { _ in })
            case .joined: _ = [Deferred { 1 }].joined(maxConcurrentCount: 0).start(on: .immediate)
            case .errorRepeat: _ = one.onErrorRepeat(maxRepetitions: -1)
            case .valueRepeat: _ = one.onValueRepeat(maxRepetitions: -1) { _ in true }
            case .resultRepeat: _ = one.onResultRepeat(maxRepetitions: -1) { _ in true }
            case .collect: _ = one.repeatAndCollect(maxRepetitions: -1) { _ in true }
            case .policy: _ = RetryPolicy(.constant(.zero), maxRepetitions: -1)
            case .budget: _ = RetryBudget(ratio: -1)
            case .constant: _ = RetryPolicy.constant(.seconds(-1))
            case .exponential: _ = RetryPolicy.exponential(from: .zero, factor: 0, upTo: .zero)
            case .decorrelated: _ = RetryPolicy.decorrelated(from: .seconds(-1), upTo: .zero)
            case .perform: try await Ward().place().value.perform {}
            case .sync: try await Ward().place().value.sync {}
            case .executor: _ = SchedulerExecutor(.background)
            case .signal: _ = ProcessSignal(SIGKILL)
            case .clock: VirtualTime().advance(by: .seconds(-1))
            case .timeline: _ = VirtualTime().future("-1-")
            case .tick: _ = VirtualTime().timeline(of: one, tick: .zero)
            case .inject: VirtualTime().inject(.cancel, at: "a", times: 0)
            case .injectOutside: Simulation.inject(.cancel, at: "a")
            case .never: try Simulation.expectNeverCompletes(one)
            case .explore: try Simulation.explore(runs: 0) {}
            case .replay: try Simulation.replay("junk", seed: 1) {}
            case .nested: try Simulation.run(seed: 1) { try Simulation.run(seed: 2) {} }
            }
        }

        /// What the trap says: mostly, which number it does not take.
        var message: String {
            switch self {
            case .queue, .queueWithResource, .queueOnScheduler, .batch, .keyedQueue, .mapToFuture, .mapResults,
                .forEach, .joined:
                "maxConcurrentCount must be at least 1"
            case .waitingCount, .poolWaiting: "maxWaitingCount must not be negative. Use 0 to refuse"
            case .keyedCount: "maxConcurrentCountPerKey must be at least 1"
            case .semaphore: "A semaphore's count must be at least 1"
            case .rate: "A rate needs a count and a burst of at least 1"
            case .pool: "A pool's maxCount must be at least 1"
            case .cache: "maxCount must be at least 1. To share runs and keep nothing, use a SingleFlight."
            case .first: "The number of values to wait for must not be negative"
            case .errorRepeat, .valueRepeat, .resultRepeat, .collect, .policy:
                "maxRepetitions must not be negative. Use 0 for no repetition"
            case .budget: "A retry budget's numbers must not be negative"
            case .constant, .decorrelated: "A delay must not be negative. Use zero for none."
            case .exponential: "Delays must not become shorter: the factor must be a finite number of at least 1"
            case .perform: "code isolated to its actor could run here. Use async or sync."
            case .sync: "sync cannot wait for an actor. Use async(_:), or await the actor's method."
            case .executor: "Create one with Scheduler(label:)."
            case .signal: "cannot be caught. Use a signal that can be, such as SIGTERM."
            case .clock: "would turn back the clock. Create another VirtualTime instead."
            case .timeline: "is no timeline. Draw one - for each tick"
            case .tick: "could not be drawn. Pass a positive duration."
            case .inject: "would inject nothing. Pass a positive number."
            case .injectOutside: "Simulation.inject was called outside of a simulation. Call it in the closure of run"
            case .never: "Simulation.expectNeverCompletes was called outside of a simulation"
            case .explore: "would try nothing. Pass a positive number."
            case .replay: "is not a schedule. Pass the one that a Simulation.Failure prints."
            case .nested: "Start it after that has ended."
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

private struct Stage: Progression {
    var result: Int? { 1 }
    func next() -> Deferred<Stage> { Deferred(self) }
}
