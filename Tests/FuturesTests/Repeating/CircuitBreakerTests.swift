// CircuitBreaker: rejects calls of a service that fails. Contract/Repeating.md

import Futures
import FuturesTesting
import Testing

@Suite struct CircuitBreakerTests {
    private let time = VirtualTime()
    private func breaker(_ maxFailures: Int) -> CircuitBreaker {
        CircuitBreaker(maxFailures: maxFailures, resetTimeout: .seconds(10), on: time.scheduler)
    }

    /// Calls the service, and returns whether it was let through.
    @discardableResult
    private func call(_ breaker: CircuitBreaker, _ result: Result<Int, any Error>) -> Bool {
        let called = Shared(false)
        _ = breaker.future(on: .immediate) {
            called.value = true
            return Future(result: result)
        }
        return called.value
    }

    @Test
    func `after maxFailures failures in a row, a circuit is open, and calls fail without calling their operation`() {
        let breaker = breaker(3)
        let failure = Result<Int, any Error>.failure(Oops())
        for result in [failure, failure, .success(1), failure, failure] {
            #expect(call(breaker, result) && breaker.isClosed)
        }
        #expect(call(breaker, .failure(Oops())))
        #expect(!breaker.isClosed && !breaker.admitsCalls)
        time.advance(by: .seconds(4))
        let rejected = breaker.future(on: .immediate) { Future(1) }
        #expect(rejected.error as? CircuitBreaker.OpenError == .init(retryAfter: .seconds(6)))
        #expect(!call(breaker, .success(1)))
    }

    @Test func `after resetTimeout, an open circuit lets one call through, whose result closes or opens it`() {
        for succeeds in [true, false] {
            let breaker = breaker(1)
            call(breaker, .failure(Oops()))
            time.advance(by: .seconds(10))
            #expect(breaker.admitsCalls)
            let trial = Promise<Int>()
            _ = breaker.future(on: .immediate) { trial.future }
            #expect(!breaker.admitsCalls && !call(breaker, .success(1)), "The trial is in progress.")
            if succeeds { trial.succeed(1) } else { trial.fail(Oops()) }
            #expect(breaker.isClosed == succeeds && breaker.admitsCalls == succeeds)
            #expect(call(breaker, .success(1)) == succeeds)
            time.advance(by: .seconds(10))
            #expect(breaker.admitsCalls)
        }
    }

    @Test func `a trial that is cancelled gives the next call its chance`() {
        for way in 0..<2 {
            let breaker = breaker(1)
            call(breaker, .failure(Oops()))
            time.advance(by: .seconds(10))
            let trial = Promise<Int>()
            switch way {
            case 0: breaker.future(on: .immediate) { trial.future }.cancel()
            default:
                let end = breaker.future(on: .immediate) { trial.future }
                trial.fail(CancellationError())
                #expect(end.isCancelled)
            }
            #expect(breaker.admitsCalls && call(breaker, .success(1)) && breaker.isClosed, "\(way)")
        }
    }

    @Test func `a result of a call that began before the circuit opened does not count`() {
        let breaker = breaker(1)
        let early = Promise<Int>()
        _ = breaker.future(on: .immediate) { early.future }
        call(breaker, .failure(Oops()))
        early.succeed(1)
        #expect(!breaker.isClosed)
    }

    @Test func `errors that are no failures of the service count as successes`() {
        let breaker = CircuitBreaker(maxFailures: 2, resetTimeout: .seconds(1), on: time.scheduler) {
            $0 as? Oops != Oops(404)
        }
        for number in [500, 404, 500, 404] { call(breaker, .failure(Oops(number))) }
        #expect(breaker.isClosed)
        for _ in 0..<2 { call(breaker, .failure(Oops(500))) }
        #expect(!breaker.isClosed)
    }

    @Test func `a policy can wait for the trial of a circuit`() {
        let breaker = breaker(2)
        let runs = Log<Duration>()
        let policy = RetryPolicy(
            .constant(.seconds(1)), maxRepetitions: 5, minimumDelay: { ($0 as? CircuitBreaker.OpenError)?.retryAfter })
        let end = breaker.future(on: .immediate) { [time] in
            runs.add(time.now)
            return runs.count < 3 ? Future<Int>(error: Oops()) : Future(7)
        }.retry(policy, on: time.scheduler)
        time.advance(by: .seconds(60))
        #expect(end.success == 7 && runs.entries == [0, 1, 11].map { .seconds($0) })
    }

    @Test
    func `of ten clients that wait for the trial of a circuit, all succeed once the service has recovered`() throws {
        let (breaker, isDown) = (breaker(1), Shared(true))
        let policy = RetryPolicy(
            .exponential(from: .milliseconds(100), upTo: .seconds(10)), maxRepetitions: 3,
            minimumDelay: { ($0 as? CircuitBreaker.OpenError)?.retryAfter })
        let calls = Shared(0)
        func request() -> Future<Int> {
            breaker.future(on: time.scheduler) { [time] in
                Future(calls.increment()).delay(by: .seconds(1), on: time.scheduler).map(on: time.scheduler) {
                    if isDown.value { throw Oops() }
                    return $0
                }
            }
        }
        _ = request()
        time.advance(by: .seconds(1))
        let clients = (1...10).map { _ in request().retry(policy, on: time.scheduler) }
        time.advance(by: .seconds(5))
        isDown.value = false
        // One of them is the trial, after ten seconds. The others wait as long again.
        time.advance(by: .seconds(6))
        #expect(clients.compactMap(\.success).count == 1 && breaker.isClosed && calls.value == 2)
        try time.runToEnd()
        #expect(clients.compactMap(\.success).count == 10 && time.now == .seconds(22))
    }

    @Test func `a trial that never ends lets another one start after resetTimeout`() {
        let breaker = breaker(1)
        call(breaker, .failure(Oops()))
        time.advance(by: .seconds(10))
        let trial = Promise<Int>()
        _ = breaker.future(on: .immediate) { trial.future }
        time.advance(by: .seconds(4))
        let rejected = breaker.future(on: .immediate) { Future(1) }
        #expect(rejected.error as? CircuitBreaker.OpenError == .init(retryAfter: .seconds(6)))
        time.advance(by: .seconds(6))
        #expect(call(breaker, .success(1)) && breaker.isClosed)
    }

    @Test(arguments: [0, 1])
    func `a circuit breaker without failures, or with a negative time, traps`(maxFailures: Int) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [maxFailures] in
            _ = CircuitBreaker(maxFailures: maxFailures, resetTimeout: .seconds(-1))
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("maxFailures must be at least 1") && said.contains("CircuitBreakerTests.swift"))
    }
}
