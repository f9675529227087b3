// retry: repeats a failed future by a policy. Contract/Repeating.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureRetryTests {
    private let time = VirtualTime(), runs = Shared(0), attempts = Log<RetryAttempt>()

    /// The delay after each attempt; nil after the last one.
    private var nextDelays: [Duration?] { attempts.entries.map(\.nextDelay) }
    private var delays: [Duration] { nextDelays.compactMap(\.self) }

    /// Returns an operation that fails until its `count`th run. Each run takes `duration`.
    private func failing(until count: Int = .max, taking duration: Duration? = nil) -> Future<Int> {
        Future(on: .immediate, immediate: { runs.increment() })
            .delay(by: duration, on: time.scheduler)
            .map(on: .immediate) { run in
                if run < count { throw Oops(run) }
                return run
            }
    }

    private func retry(_ future: Future<Int>, _ policy: RetryPolicy) -> Future<Int> {
        time.scheduler.perform { future.retry(policy) { attempts.add($0) } }
    }

    @Test func `an exponential backoff multiplies each delay by its factor, up to its cap`() {
        let policy = RetryPolicy(.exponential(from: .milliseconds(100), upTo: .seconds(1)), maxRepetitions: 6)
        _ = retry(failing(), policy)
        time.advance(by: .seconds(60))
        #expect(delays == [100, 200, 400, 800, 1000, 1000].map { .milliseconds($0) })
        let slower = RetryPolicy(.exponential(from: .seconds(2), factor: 1.5, upTo: .seconds(4)), maxRepetitions: 3)
        _ = retry(failing(), slower)
        time.advance(by: .seconds(60))
        #expect(delays.suffix(3) == [.seconds(2), .seconds(3), .seconds(4)])
    }

    @Test func `a jittered backoff waits for a random time up to the delay without jitter`() {
        let policy = RetryPolicy.exponential(from: .seconds(1), upTo: .seconds(8)).jittered(using: SplitMix(1))
        let delays = (0..<200).map { policy.delay(after: $0) }
        let limits = [1, 2, 4].map { Duration.seconds($0) }
        #expect(zip(delays, limits).allSatisfy { $0 <= $1 })
        let late = delays.dropFirst(3)
        #expect(late.allSatisfy { $0 >= .zero && $0 <= .seconds(8) })
        // The delays cover the whole range, and half of the limit on average.
        #expect(late.min()! < .milliseconds(500) && late.max()! > .milliseconds(7500))
        let mean = late.reduce(.zero, +) / late.count
        #expect(mean > .milliseconds(3300) && mean < .milliseconds(4700))
    }

    @Test func `equal random generators give equal delays, and copies of a policy share their generator`() {
        func policy() -> RetryPolicy { .constant(.seconds(8)).jittered(using: SplitMix(3)) }
        func delays(_ policy: RetryPolicy) -> [Duration] { (0..<5).map { policy.delay(after: $0) } }
        let shared = policy()
        let (first, second) = (delays(shared), delays(shared))
        #expect(delays(policy()) == first)
        #expect(first != second)
    }

    @Test(arguments: [0, UInt64.max])
    func `a jittered delay is in its range with a generator that always returns the same number`(number: UInt64) {
        struct Constant: RandomNumberGenerator, Sendable {
            let number: UInt64
            func next() -> UInt64 { number }
        }
        let delay = RetryPolicy.constant(.seconds(8)).jittered(using: Constant(number: number)).delay(after: 0)
        #expect(delay >= .zero && delay <= .seconds(8))
    }

    @Test func `a custom backoff waits as its closure says`() {
        let policy = RetryPolicy(.custom { .seconds([1, 0, -5, 2][$0]) }, maxRepetitions: 4)
        _ = retry(failing(), policy)
        time.advance(by: .seconds(9))
        #expect(delays == [1, 0, 0, 2].map { .seconds($0) })
    }

    @Test(arguments: 0...2) func `a policy allows at most maxRepetitions repetitions`(maximum: Int) {
        let future = retry(failing(), RetryPolicy(.constant(.zero), maxRepetitions: maximum))
        time.run()
        #expect(future.error as? Oops == Oops(maximum + 1))
        #expect(runs.value == maximum + 1)
        #expect(nextDelays.last == .some(nil))
        #expect(attempts.entries.map(\.number) == Array(1...maximum + 1))
        #expect(attempts.entries.map { $0.error as? Oops } == (1...maximum + 1).map { Oops($0) })
    }

    @Test func `an error that the policy does not retry is passed on, by default also a CancellationError`() {
        let picky = retry(failing(), RetryPolicy(.constant(.zero)) { ($0 as? Oops) != Oops(3) })
        time.run()
        #expect(picky.error as? Oops == Oops(3))
        #expect(nextDelays == [.zero, .zero, nil])

        let cancelled = Future<Int>(error: CancellationError())
        _ = retry(cancelled, RetryPolicy(.constant(.zero)))
        time.run()
        #expect(attempts.count == 4)
        #expect(nextDelays.last == .some(nil))
        _ = retry(cancelled, RetryPolicy(.constant(.zero), maxRepetitions: 1) { _ in true })
        time.run()
        #expect(nextDelays.suffix(2) == [.zero, nil])
    }

    @Test func `no run starts after the time limit, measured from the start of the first run`() {
        let policy = RetryPolicy(.constant(.seconds(2)), timeLimit: .seconds(10))
        let future = retry(failing(taking: .seconds(3)), policy)
        // A run in progress when the limit passes continues.
        let slow = retry(failing(until: 1, taking: .seconds(60)), policy)
        // The runs start at 0 and 5 s; the next one would start at 10 s.
        time.advance(by: .seconds(8))
        #expect(future.error as? Oops == Oops(3))
        #expect(nextDelays == [.seconds(2), nil])
        time.advance(by: .seconds(60))
        #expect(slow.success == 2)
    }

    @Test func `each run of a retried future has its own time limit and its own count`() {
        let policy = RetryPolicy(.constant(.seconds(1)), maxRepetitions: 3, timeLimit: .seconds(3))
        let future = retry(failing(until: 8), policy)
            .onErrorRepeat(on: time.scheduler, delayBetweenRepetitions: .seconds(100), maxRepetitions: 5)
        time.advance(by: .seconds(1000))
        #expect(future.success == 8)
        // The runs start at 0, 1, 2; 102, 103, 104; 204, 205.
        #expect(nextDelays.filter { $0 == nil }.count == 2)
        #expect(time.pendingCount == 0)
    }

    @Test func `an error can request a longer delay`() {
        let policy = RetryPolicy(
            .constant(.seconds(2)), maxRepetitions: 3, minimumDelay: { ($0 as? Oops).map { .seconds($0.number) } })
        _ = retry(failing(), policy)
        time.advance(by: .seconds(60))
        #expect(delays == [2, 2, 3].map { .seconds($0) })
    }

    @Test func `onAttempt is called for each failed run, before the next step, and can end the retry by throwing`() {
        let log = Log<String>()
        let future = time.scheduler.perform {
            failing(until: 3).retry(.constant(.seconds(1))) { attempt in
                log.add("\(attempt.number) \(attempt.nextDelay!) \(runs.value)")
            }
        }
        time.advance(by: .seconds(2))
        #expect(future.success == 3)
        #expect(log.entries == [1, 2].map { "\($0) \(Duration.seconds(1)) \($0)" })
        runs.value = 0
        let ended = time.scheduler.perform {
            failing().retry(.constant(.seconds(1))) { attempt in if attempt.number == 2 { throw Oops(-1) } }
        }
        time.advance(by: .seconds(10))
        #expect(ended.error as? Oops == Oops(-1))
        #expect(runs.value == 2)
    }

    @Test func `the next run waits for the future of onAttempt, whose error ends the retry`() {
        let (time, runs) = (time, runs)
        let refreshed = time.scheduler.perform {
            failing(until: 3).retry(.constant(.seconds(1))) { _ in Future("token").delay(by: .seconds(5)) }
        }
        time.advance(by: .milliseconds(11_999))
        #expect(runs.value == 2)
        time.advance(by: .milliseconds(1))
        #expect(refreshed.success == 3)
        #expect(time.pendingCount == 0)
        runs.value = 0
        let ended = time.scheduler.perform {
            failing().retry(.constant(.seconds(1))) { _ in Future<Void>(error: Oops(-1)) }
        }
        time.run()
        #expect(ended.error as? Oops == Oops(-1))
        #expect(runs.value == 1)
    }

    @Test func `a policy that is made of another one keeps its limits`() {
        let budget = RetryBudget()
        let policy = RetryPolicy(.constant(.seconds(1), maxRepetitions: 2), timeLimit: .seconds(9), budget: budget)
        #expect(RetryPolicy(policy).maxRepetitions == 2)
        #expect(RetryPolicy(policy).timeLimit == .seconds(9))
        #expect(RetryPolicy(policy).budget === budget)
        #expect(RetryPolicy(policy, maxRepetitions: 5).maxRepetitions == 5)
        _ = retry(failing(), RetryPolicy(RetryPolicy(.constant(.zero)) { ($0 as? Oops) == Oops(1) }, maxRepetitions: 9))
        time.run()
        #expect(nextDelays == [.zero, nil])
    }

    @Test func `a cancel ends a retry during a run and during a delay`() {
        for timeLimit in [nil, Duration.seconds(100)] {
            let policy = RetryPolicy(.constant(.seconds(2)), timeLimit: timeLimit)
            let (running, waiting) = (retry(failing(taking: .seconds(1)), policy), retry(failing(), policy))
            time.run()
            #expect(time.pendingCount == 2)
            running.cancel()
            waiting.cancel()
            #expect(running.isCancelled && waiting.isCancelled)
            #expect(time.pendingCount == 0)
        }
    }
}
