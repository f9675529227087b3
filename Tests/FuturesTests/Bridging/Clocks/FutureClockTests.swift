// Clocks: delays and timeouts by any clock. Contract/Time.md

import Futures
import FuturesTesting
import Synchronization
import Testing

/// A clock that only the test advances.
private final class HandClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [(until: Instant, promise: Promise<Void>)] = []
    }

    private let state = Shared(State())
    let sleeping = Log<Duration>()

    var now: Instant { state.change { $0.now } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let promise = Promise<Void>()
        state.change { $0.sleepers.append((deadline, promise)) }
        sleeping.add(deadline.offset)
        try await promise.future.value
    }

    /// Advances the clock once a task sleeps on it.
    func advance(by duration: Duration) async {
        while state.change({ $0.sleepers.isEmpty }) { await Task.yield() }
        let due = state.change { state in
            state.now = state.now.advanced(by: duration)
            defer { state.sleepers.removeAll { $0.until <= state.now } }
            return state.sleepers.filter { $0.until <= state.now }
        }
        for sleeper in due { sleeper.promise.succeed() }
    }
}

@Suite struct FutureClockTests {
    private let clock = HandClock()

    @Test func `a delay by a clock lasts as long as the clock says`() async throws {
        let late = Future(1).delay(by: .seconds(3), clock: clock)
        await clock.advance(by: .seconds(2))
        #expect(!late.isCompleted)
        await clock.advance(by: .seconds(1))
        #expect(try await late.value == 1)
        let failed = Future<Int>(error: Oops(1)).delay(by: .seconds(1), clock: clock)
        #expect(!failed.isCompleted)
        await clock.advance(by: .seconds(1))
        await #expect(throws: Oops(1)) { try await failed.value }
    }

    @Test func `a delay by a clock beyond the clock's range is valid`() async {
        let isEnded = Promise<Void>()
        let late = Future(1).delay(by: .seconds(Int.max), clock: Awakened(isEnded: isEnded, ContinuousClock()))
        for _ in 0..<100 { await Task.yield() }
        late.cancel()
        #expect(late.isCancelled)
        _ = await isEnded.future.arrival()
    }

    @Test(arguments: [Duration.seconds(Int64.max) * -18, .seconds(-1), .zero, .seconds(Int64.max) * 18])
    func `any tolerance is valid, a negative one is none`(tolerance: Duration) async throws {
        let delayed = Future(1).delay(by: .nanoseconds(1), tolerance: tolerance, clock: ContinuousClock())
        let inTime = Future<Int>.never.timeout(after: .nanoseconds(1), tolerance: tolerance, clock: ContinuousClock())
        // A clock may use up the tolerance, so a large one is only started.
        guard tolerance <= .zero else {
            delayed.cancel()
            return
        }
        #expect(try await delayed.value == 1)
        await #expect(throws: FutureError.self) { try await inTime.value }
    }

    @Test func `a timeout by a clock fails a late future and cancels it`() async throws {
        let isStopped = Shared(false)
        let slow = stoppable { isStopped.value = true }.timeout(after: .seconds(5), clock: clock)
        let line = #line - 1
        await clock.advance(by: .seconds(5))
        _ = await slow.arrival()
        #expect(slow.error?.timeLimit == .seconds(5))
        #expect(slow.error.map { "\($0)" }?.contains("FuturesTests/FutureClockTests.swift:\(line)") == true)
        #expect(isStopped.value)
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `a timeout of zero or less by a clock expires at the current scheduler's next turn`(_ duration: Duration) {
        let time = VirtualTime()
        let promise = Promise<Int>()
        let limited = time.scheduler.perform {
            promise.future.timeout(after: duration, clock: clock, file: "here", line: 1)
        }
        #expect(!limited.isCompleted)
        time.run()
        #expect(limited.error as? FutureError == .timedOut(after: .zero, origin: .init("here", line: 1)))
        #expect(promise.future.isCancelled)
        #expect(Future(1).timeout(after: duration, clock: clock).success == 1)
        #expect(clock.sleeping.count == 0)
    }

    @Test func `a result in time ends the sleep of a timeout by a clock`() async throws {
        let promise = Promise<Int>()
        let quick = promise.future.timeout(after: .seconds(5), clock: clock)
        while clock.sleeping.count == 0 { await Task.yield() }
        promise.succeed(1)
        #expect(try await quick.value == 1)
        let failed = Future<Int>(error: Oops(2)).timeout(after: .seconds(5), clock: clock)
        await #expect(throws: Oops(2)) { try await failed.value }
    }

    @Test(arguments: [true, false])
    func `cancelling a delay or a timeout by a clock ends its sleep and cancels its source`(delays: Bool) async {
        let (isEnded, isStopped) = (Promise<Void>(), Shared(delays))
        let clock = Awakened(isEnded: isEnded)
        let waiting =
            delays
            ? Future(1).delay(by: .seconds(3), clock: clock)
            : stoppable { isStopped.value = true }.timeout(after: .seconds(3), clock: clock)
        waiting.cancel()
        #expect(waiting.isCancelled && isStopped.value)
        _ = await isEnded.future.arrival()
    }

    @Test func `a clock whose sleep fails fails the delayed future`() async {
        await #expect(throws: Oops(7)) { try await Future(1).delay(by: .seconds(1), clock: Broken()).value }
    }
}

/// A clock whose sleepers wake up only when they are cancelled, or at the time of another clock.
private struct Awakened: Clock {
    let isEnded: Promise<Void>
    let other: ContinuousClock?

    init(isEnded: Promise<Void>, _ other: ContinuousClock? = nil) {
        self.isEnded = isEnded
        self.other = other
    }

    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        defer { isEnded.succeed() }
        guard let other else { return try await Future<Void>.never.value }
        try await other.sleep(until: deadline, tolerance: tolerance)
    }
}

/// A clock whose sleep fails.
private struct Broken: Clock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws { throw Oops(7) }
}
