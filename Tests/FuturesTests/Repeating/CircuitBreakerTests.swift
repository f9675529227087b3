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
        for result in [failure, failure, .success(1), failure, failure] { #expect(call(breaker, result)) }
        #expect(breaker.isClosed)
        #expect(call(breaker, failure))
        #expect(!breaker.isClosed)
        time.advance(by: .seconds(4))
        let rejected = breaker.future(on: .immediate) { Future(1) }
        #expect(rejected.error as? CircuitBreaker.OpenError == .init(retryAfter: .seconds(6)))
        #expect(!call(breaker, .success(1)))
    }

    /// A breaker whose trial is in progress.
    private func trial() -> (CircuitBreaker, Promise<Int>, Future<Int>) {
        let (breaker, trial) = (breaker(1), Promise<Int>())
        call(breaker, .failure(Oops()))
        time.advance(by: .seconds(10))
        return (breaker, trial, breaker.future(on: .immediate) { trial.future })
    }

    @Test(arguments: [true, false])
    func `after resetTimeout, an open circuit lets one call through, whose result closes or opens it`(succeeds: Bool) {
        let (breaker, trial, _) = trial()
        #expect(!call(breaker, .success(1)), "The trial is in progress.")
        if succeeds { trial.succeed(1) } else { trial.fail(Oops()) }
        #expect(breaker.isClosed == succeeds)
        #expect(call(breaker, .success(1)) == succeeds)
        time.advance(by: .seconds(10))
        #expect(call(breaker, .success(1)))
    }

    @Test(arguments: [true, false])
    func `a trial that is cancelled gives the next call its chance`(fromOutside: Bool) {
        let (breaker, trial, end) = trial()
        if fromOutside { end.cancel() } else { trial.fail(CancellationError()) }
        #expect(end.isCancelled)
        #expect(call(breaker, .success(1)))
        #expect(breaker.isClosed)
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

    @Test func `a trial that never ends lets another one start after resetTimeout`() {
        let (breaker, promise, _) = trial()
        time.advance(by: .seconds(4))
        let rejected = breaker.future(on: .immediate) { Future(1) }
        #expect(rejected.error as? CircuitBreaker.OpenError == .init(retryAfter: .seconds(6)))
        time.advance(by: .seconds(6))
        #expect(call(breaker, .success(1)))
        #expect(breaker.isClosed)
        withExtendedLifetime(promise) {}
    }

    @Test func `a circuit opens when so many of the last calls have failed, of those that ended lately`() {
        let breaker = CircuitBreaker(
            maxFailures: 2, ofLast: 4, within: .seconds(10), resetTimeout: .seconds(1), on: time.scheduler)
        let failure = Result<Int, any Error>.failure(Oops())
        for result in [failure, .success(1), .success(1), .success(1), failure] { call(breaker, result) }
        #expect(breaker.isClosed, "The first of the two failures is the fifth call from the end.")
        time.advance(by: .seconds(11))
        call(breaker, failure)
        #expect(breaker.isClosed, "The first of the two failures is long ago.")
        time.advance(by: .seconds(10))
        call(breaker, failure)
        #expect(!breaker.isClosed)
    }

    @Test(arguments: [true, false]) func `of several calls that are a trial, all have to succeed`(fails: Bool) {
        let breaker = CircuitBreaker(maxFailures: 1, resetTimeout: .seconds(10), trials: 2, on: time.scheduler)
        call(breaker, .failure(Oops()))
        time.advance(by: .seconds(10))
        let trials = [Promise<Int>(), Promise<Int>()]
        let ends = trials.map { trial in breaker.future(on: .immediate) { trial.future } }
        #expect(!call(breaker, .success(1)), "Both are in progress.")
        trials[0].succeed(1)
        #expect(!breaker.isClosed)
        if fails { trials[1].fail(Oops()) } else { trials[1].succeed(1) }
        #expect(ends.allSatisfy { $0.isCompleted })
        #expect(breaker.isClosed == !fails)
        #expect(call(breaker, .success(1)) == !fails)
    }

    @Test func `a circuit that was opened by hand lets no call through until it is closed`() {
        let breaker = breaker(1)
        breaker.open()
        time.advance(by: .seconds(1000))
        // A policy that waits for the next trial asks again.
        let rejected = breaker.future(on: .immediate) { Future(1) }
        #expect(rejected.error as? CircuitBreaker.OpenError == .init(retryAfter: .seconds(10)))
        breaker.close()
        #expect(call(breaker, .success(1)))
    }

    @Test func `onChange is called when a circuit has opened or closed`() {
        let (states, known) = (Log<Bool>(), Shared<CircuitBreaker?>(nil))
        let breaker = CircuitBreaker(
            maxFailures: 1, resetTimeout: .seconds(10), on: time.scheduler,
            onChange: { states.add(known.value!.isClosed) })
        known.value = breaker
        call(breaker, .failure(Oops()))
        time.run()
        time.advance(by: .seconds(10))
        call(breaker, .success(1))
        time.run()
        known.value = nil
        #expect(states.entries == [false, true])
    }

    @Test func `clients that retry behind a breaker all succeed when the service has recovered`() throws {
        let (breaker, isDown) = (breaker(1), Shared(true))
        let policy = RetryPolicy(
            .constant(.milliseconds(100)), maxRepetitions: 3,
            minimumDelay: { ($0 as? CircuitBreaker.OpenError)?.retryAfter })
        call(breaker, .failure(Oops()))
        let clients = (0..<10).map { _ in
            breaker.future(on: time.scheduler) { [time] in
                Future(1).delay(by: .seconds(1), on: time.scheduler)
                    .map(on: time.scheduler) { if isDown.value { throw Oops() } else { return $0 } }
            }.retry(policy, on: time.scheduler)
        }
        time.advance(by: .seconds(5))
        isDown.value = false
        time.advance(by: .seconds(60))
        #expect(clients.allSatisfy { $0.success == 1 })
    }
}
