// Threads: helpers of the stress tests, made of what the thread sanitizer sees: atomics, semaphores and queues.

import Dispatch
import Foundation
import Futures
import Synchronization
import Testing

/// Races that are run often; each test several threads against each other.
@Suite(.serialized) enum ThreadStressTests {}

/// Runs `body` on so many threads at a time, which all begin together.
func race(_ threadCount: Int = 4, _ body: @escaping @Sendable (Int) -> Void) {
    Racers.shared.with { $0.race(threadCount, body) }
}

/// The same, each thread a little later, but no more than `time`: for a race with what takes a while to get going.
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

/// Threads that wait for the next race. (`concurrentPerform` has no more than the machine has processors.)
private struct Racers {
    static let shared = Guarded(Racers())

    private final class Lane: Sendable {
        let start = DispatchSemaphore(value: 0)
        let end = DispatchSemaphore(value: 0)
        let work = Guarded<@Sendable () -> Void>({})

        init() {
            Thread.detachNewThread { [self] in
                while true {
                    start.wait()
                    let work = work.with { $0 }
                    work()
                    end.signal()
                }
            }
        }
    }

    private let lanes = (0..<4).map { _ in Lane() }

    func race(_ threadCount: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let ready = AtomicCounter()
        for (index, lane) in lanes.prefix(threadCount).enumerated() {
            lane.work.with {
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
            lane.work.with { $0 = {} }
        }
    }
}

/// Waits until `condition` holds, for what another thread is about to do; a lost one is lost after a while.
func expectSoon(location: Testing.SourceLocation = #_sourceLocation, _ condition: () -> Bool) {
    let end = ContinuousClock.now + .seconds(20)
    // Asked once a turn: what is true may be over a moment later, when an operation begins that was on its way.
    while ContinuousClock.now < end {
        if condition() { return }
        sched_yield()
    }
    Issue.record("It did not come true.", sourceLocation: location)
}

/// A counter for all threads.
final class AtomicCounter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .acquiring) }

    @discardableResult
    func up() -> Int { count.add(1, ordering: .acquiringAndReleasing).newValue }

    func down() { count.subtract(1, ordering: .acquiringAndReleasing) }
}

/// What threads share behind a lock that the thread sanitizer sees.
// Safe to share: `value` is touched under the semaphore only.
final class Guarded<Value>: @unchecked Sendable {
    private let semaphore = DispatchSemaphore(value: 1)
    private var value: Value

    init(_ value: Value) { self.value = value }

    func with<T>(_ body: (inout Value) -> T) -> T {
        semaphore.wait()
        defer { semaphore.signal() }
        return body(&value)
    }
}

/// Listeners of all threads, each called once or detached.
final class Audience: Sendable {
    private struct Member {
        let future: Future<Int>
        let calls: AtomicCounter
        var isDetached = false
    }

    private let members = Guarded<[Member]>([])

    /// Attaches a listener to `future`; returns a handle to it.
    @discardableResult
    func join(_ future: Future<Int>) -> Int {
        let calls = AtomicCounter()
        let listener = future.onResult(on: .immediate) { _ in calls.up() }
        return members.with {
            $0.append(Member(future: listener, calls: calls))
            return $0.count - 1
        }
    }

    func leave(_ index: Int) {
        let listener = members.with {
            $0[index].isDetached = true
            return $0[index].future
        }
        listener.cancel()
    }

    /// Whether everything that must complete has: nobody was called twice, and nobody was left out.
    func check(location: Testing.SourceLocation = #_sourceLocation) {
        for member in members.with({ $0 }) {
            // Another thread may be serving it now.
            expectSoon(location: location) { member.future.isCompleted }
            let isCancelled = if case .failure(is CancellationError) = member.future.result { true } else { false }
            let calls = member.calls.value
            #expect(calls == 1 || calls == 0 && member.isDetached && isCancelled, sourceLocation: location)
        }
    }
}

/// How often a race is run.
let rounds = isDebug ? 300 : 2000

extension Int {
    /// Runs `body` so often, with a generator for each time and the number of it.
    func rounds(_ body: (inout SplitMix, Int) -> Void) {
        let seed = UInt64.random(in: 0...(.max / 2))
        for round in 0..<self {
            var random = SplitMix(seed &+ UInt64(round))
            body(&random, round)
        }
    }
}

extension Task {
    /// A task that has begun `body`, which is to call what it is given when it has.
    static func begun(
        _ body: @escaping @Sendable (_ hasBegun: @Sendable () -> Void) async throws -> Success
    ) async -> Task<Success, any Error> where Failure == any Error {
        let begun = AtomicCounter()
        let task = Task { try await body { begun.up() } }
        while begun.value == 0 { await Task<Never, Never>.yield() }
        return task
    }
}

extension DispatchGroup {
    /// Waits for what must come; a minute is for a lost wake-up.
    func expectDone(location: Testing.SourceLocation = #_sourceLocation) {
        #expect(wait(timeout: .now() + 60) == .success, "lost", sourceLocation: location)
    }
}
