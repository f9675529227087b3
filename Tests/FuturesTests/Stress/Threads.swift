// Threads: helpers of the stress tests, which use only synchronization that the thread sanitizer understands.

import Dispatch
import Foundation
import Futures
import Synchronization
import Testing

/// Races that are run many times; each tests several threads on one object.
@Suite(.serialized) enum ThreadStressTests {}

/// Runs `body` concurrently on `threadCount` threads, which start at the same time.
func race(_ threadCount: Int = 4, _ body: @escaping @Sendable (Int) -> Void) {
    Racers.shared.change { $0.race(threadCount, body) }
}

/// Runs the bodies concurrently, each on a thread of its own.
func race(_ bodies: (@Sendable () -> Void)...) { race(bodies.count) { bodies[$0]() } }

/// Runs `body` on threads that start after a random pause of up to `time`, for races with slow operations.
func race(
    _ threadCount: Int = 4, within time: Duration, _ random: inout SplitMix, _ body: @escaping @Sendable (Int) -> Void
) {
    let pauses = (0..<threadCount).map { _ in time * Double.random(in: 0...1, using: &random) }
    race(threadCount) { thread in
        let start = ContinuousClock.now + pauses[thread]
        while ContinuousClock.now < start {}
        body(thread)
    }
}

/// Threads that wait for the next race. (`concurrentPerform` uses no more threads than there are processors.)
private struct Racers {
    static let shared = Shared(Racers())

    private final class Lane: Sendable {
        let start = DispatchSemaphore(value: 0)
        let end = DispatchSemaphore(value: 0)
        let work = Shared<@Sendable () -> Void>({})

        init() {
            Thread.detachNewThread { [self] in
                while true {
                    start.wait()
                    let work = work.value
                    work()
                    end.signal()
                }
            }
        }
    }

    private let lanes = (0..<5).map { _ in Lane() }

    func race(_ threadCount: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let ready = AtomicCounter()
        for (index, lane) in lanes.prefix(threadCount).enumerated() {
            lane.work.change {
                $0 = {
                    ready.up()
                    while ready.value < threadCount { sched_yield() }
                    body(index)
                }
            }
            lane.start.signal()
        }
        for lane in lanes.prefix(threadCount) {
            lane.end.wait()
            lane.work.change { $0 = {} }
        }
    }
}

/// Whether `condition` becomes true, due to another thread. A lost wake-up makes it false after a time limit.
func happens(_ condition: () -> Bool) -> Bool {
    let end = ContinuousClock.now + testTimeout
    // Checks `condition` only once per turn: it may be false a moment later, when a scheduled operation starts.
    while ContinuousClock.now < end {
        if condition() { return true }
        sched_yield()
    }
    return false
}

/// Expects that `condition` becomes true, due to another thread.
func expectSoon(location: Testing.SourceLocation = #_sourceLocation, _ condition: () -> Bool) {
    if !happens(condition) { Issue.record("It did not come true.", sourceLocation: location) }
}

/// Looks for deadlocks, as the watchdog does each second.
func lookForDeadlocks() { for _ in 0..<3 { Watchdog.real.look(always: true) } }

/// Expects that the condition becomes true as deadlocks are found.
func expectDeadlocks(location: Testing.SourceLocation = #_sourceLocation, until condition: () -> Bool) {
    expectSoon(location: location) {
        if condition() { return true }
        Watchdog.real.look(always: true)
        return condition()
    }
}

final class AtomicCounter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .acquiring) }

    @discardableResult
    func up() -> Int { count.add(1, ordering: .acquiringAndReleasing).newValue }

    func down() { count.subtract(1, ordering: .acquiringAndReleasing) }
}

/// Listeners of several threads, each of which is called once or detached.
final class Audience: Sendable {
    private struct Member {
        let future: Future<Int>
        let calls: AtomicCounter
        var isDetached = false
    }

    private let members = Shared<[Member]>([])

    /// Attaches a listener to `future`; returns a handle to it.
    @discardableResult
    func join(_ future: Future<Int>) -> Int {
        let calls = AtomicCounter()
        let listener = future.onResult(on: .immediate) { _ in calls.up() }
        return members.change {
            $0.append(Member(future: listener, calls: calls))
            return $0.count - 1
        }
    }

    func leave(_ index: Int) {
        let listener = members.change {
            $0[index].isDetached = true
            return $0[index].future
        }
        listener.cancel()
    }

    /// Checks that everything that must complete has completed, and that each listener was called once, or detached.
    func check(location: Testing.SourceLocation = #_sourceLocation) {
        for member in members.value {
            // Another thread may be calling it now.
            expectSoon(location: location) { member.future.isCompleted }
            let isCancelled = if case .failure(is CancellationError) = member.future.result { true } else { false }
            let calls = member.calls.value
            #expect(calls == 1 || calls == 0 && member.isDetached && isCancelled, sourceLocation: location)
        }
    }
}

let rounds = isDebug ? 300 : 2000

extension Int {
    /// Runs `body` this number of times, with a generator and the number of the round; for a time in a `Soak`.
    func rounds(_ body: (inout SplitMix, Int) -> Void) {
        let (seed, soak) = (UInt64.random(in: 0...(.max / 2)), Soak())
        var round = 0
        while soak.runsRound(after: round, of: self) {
            var random = SplitMix(seed &+ UInt64(round))
            body(&random, round)
            round += 1
        }
        soak.report(round)
    }
}

extension Task {
    /// Returns a task that has started `body`.
    static func begun(
        _ body: @escaping @Sendable () async throws -> Success
    ) async -> Task<Success, any Error> where Failure == any Error {
        let begun = AtomicCounter()
        let task = Task {
            begun.up()
            return try await body()
        }
        while begun.value == 0 { await Task<Never, Never>.yield() }
        return task
    }
}
