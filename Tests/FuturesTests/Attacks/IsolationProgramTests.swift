// Random nests of sync, perform, jobs and callbacks, and the state of actors that use those schedulers.

import Dispatch
import Futures
import Testing

/// An actor on a scheduler of the test, which counts.
private actor Counter {
    nonisolated let executor: SchedulerExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    /// Not atomic: concurrent increments lose some.
    private(set) var count = 0

    init(_ scheduler: Scheduler) { executor = SchedulerExecutor(scheduler) }

    func up() { count += 1 }
}

/// An actor whose deinit uses timers.
private actor Owner {
    deinit { Scheduler.background.async(after: .seconds(60)) {}.dispose() }

    /// A timer that has the only reference to this actor's scheduler, once it is returned.
    func timer() async throws -> any Disposable {
        let scheduler = Future().map { [self] _ in
            assertIsolated()
            return Scheduler.current
        }
        return try await scheduler.value.async(after: .seconds(60)) {}
    }
}

/// Threads that enter schedulers by `sync` and `perform`, nested, and count on those that they are on.
private final class IsolationProgram: Sendable {
    private let schedulers = (0..<3).map { Scheduler(label: "scheduler \($0)") }
    private let counters: [Counter]
    private let expected = (0..<3).map { _ in AtomicCounter() }, group = DispatchGroup()

    init() { counters = schedulers.map { Counter($0) } }

    /// Counts on the schedulers of this thread, and enters others: by `sync` only those with higher numbers.
    func run(_ random: inout SplitMix, holding: Set<Int> = [], from first: Int = 0, depth: Int = 0) {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            if let index = holding.randomElement(using: &random) {
                // Safe code that compiles must be correct, or trap.
                counters[index].assumeIsolated { for _ in 0..<20 { $0.up() } }
                for _ in 0..<20 { expected[index].up() }
            }
            guard depth < 6 else { continue }
            var inner = SplitMix(random.next())
            let next = Int.random(in: 0..<3, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where next >= first:
                schedulers[next].sync {
                    run(&inner, holding: holding.union([next]), from: next + 1, depth: depth + 1)
                }
            case 1: schedulers[next].perform { run(&inner, holding: holding, from: first, depth: depth + 1) }
            case 2:
                group.enter()
                schedulers[next].async { [self, inner] in
                    var inner = inner
                    run(&inner, holding: [next], from: next + 1, depth: depth + 1)
                    group.leave()
                }
            default:
                // Called in place or behind the callback in progress, so without the isolation of these schedulers.
                let seed = inner.next()
                group.enter()
                Future(1).onValue(on: .immediate) { [self] _ in
                    var inner = SplitMix(seed)
                    if depth < 6 { run(&inner, from: 3, depth: depth + 1) }
                    group.leave()
                }
            }
        }
    }

    func complaint() -> String? {
        guard group.wait(timeout: .testTimeout) == .success else { return "a job is lost" }
        for (scheduler, (counter, expected)) in zip(schedulers, zip(counters, expected)) {
            let count = scheduler.sync { counter.assumeIsolated { $0.count } }
            if count != expected.value { return "\(count) were counted, of \(expected.value)" }
        }
        return nil
    }
}

extension Attacks {
    @Suite struct Isolation {
        @Test func `an actor's state is used by one thread at a time in any nesting of sync, perform and jobs`() {
            Attacks.run(isDebug ? 100 : 1000) { random in
                let program = IsolationProgram()
                let seed = random.next()
                race { thread in
                    var random = SplitMix(seed &+ UInt64(thread))
                    program.run(&random)
                }
                return program.complaint()
            }
        }

        @Test func `a timer that is disposed may deallocate an actor, whose deinit may use timers`() async throws {
            let timer = try await Owner().timer()
            // With the lock of the timers held, it would deadlock.
            #expect(onAnotherThread { timer.dispose() })
        }

        // What only `perform` allows is a trap: see `SchedulerExecutorTests`.
    }
}
