// timeout, fail, succeed: time limits. Contract/Time.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureTimeoutTests {
    private let time = VirtualTime()

    @Test func `a timeout fails a late future and cancels its source`() {
        let promise = Promise<Int>()
        let timely = promise.future.timeout(after: .seconds(5), on: time.scheduler)
        time.advance(by: .seconds(4))
        #expect(timely.result == nil)
        time.advance(by: .seconds(1))
        #expect(timely.error?.timeLimit == .seconds(5) && !timely.isCancelled)
        #expect(promise.future.isCancelled)
        #expect(timely.error.map { "\($0)" }?.hasPrefix("There was no result within 5.0 seconds, ") == true)
    }

    @Test func `a result that arrives in time passes a time limit and stops its timer`() throws {
        for index in limits(.seconds(5), on: VirtualTime()).indices {
            let time = VirtualTime()
            let limit = limits(.seconds(5), on: time)[index]
            let (good, bad) = (Promise<Int>(), Promise<Int>())
            let (value, error) = (limit(good.future), limit(bad.future))
            time.advance(by: .seconds(4))
            good.succeed(1)
            bad.fail(Oops(2))
            #expect(value.success == 1)
            #expect(error.error as? Oops == Oops(2))
            try time.checkNothingPending()
        }
    }

    @Test(arguments: [false, true])
    func `a time limit begins when the operation has started, in each run, also in a callback`(inCallback: Bool) {
        let count = AtomicCounter()
        let limited = Future<Int>(on: .immediate) { completion in
            // It takes longer to start than the limit allows it to run.
            time.advance(by: .seconds(2))
            count.up()
            let timer = time.scheduler.async(after: .milliseconds(500)) { completion(.failure(Oops())) }
            return timer
        }.timeout(after: .seconds(1), on: time.scheduler)
        let end = Shared<Future<Int>?>(nil)
        call(inCallback: inCallback) { end.value = limited.onErrorRepeat(on: .immediate, maxRepetitions: 20) }
        while end.value?.isCompleted == false { time.advance(by: .seconds(1)) }
        #expect(end.value?.error as? Oops == Oops())
        #expect(count.value == 21)
    }

    @Test func `a late future fails with a given error or succeeds with a given value`() {
        let (failed, succeeded) = (Promise<Int>(), Promise<Int>())
        let error = failed.future.fail(with: Oops(1), after: .seconds(1), on: time.scheduler)
        let value = succeeded.future.succeed(with: 2, after: .seconds(1), on: time.scheduler)
        time.advance(by: .seconds(1))
        #expect(error.error as? Oops == Oops(1))
        #expect(value.success == 2)
        #expect(failed.future.isCancelled && succeeded.future.isCancelled)
        #expect(!failed.succeed(1))
    }

    @Test func `a time limit does not cancel a source that has other listeners`() {
        for limit in limits(.seconds(1), on: time) {
            let promise = Promise<Int>()
            let other = promise.future.map(on: .immediate) { $0 }
            let limited = limit(promise.future)
            time.advance(by: .seconds(1))
            #expect(limited.isCompleted)
            promise.succeed(1)
            #expect(other.success == 1)
        }
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `a time limit of zero or less, or a past deadline, expires at its scheduler's next turn`(duration: Duration) {
        for limit in limits(duration, on: time) {
            let promise = Promise<Int>()
            let limited = limit(promise.future)
            #expect(limited.result == nil)
            time.run()
            #expect(limited.isCompleted)
            #expect(promise.future.isCancelled)
        }
        let past = Future<Int>.never.timeout(at: time.scheduler.now - .seconds(1), on: time.scheduler)
        time.run()
        #expect(past.error?.timeLimit == .zero)
    }

    @Test func `a completed future passes every time limit without a timer`() throws {
        for limit in limits(.seconds(-1), on: time) {
            #expect(limit(Future(1)).success == 1)
            #expect(limit(Future(error: Oops(2))).error as? Oops == Oops(2))
            #expect(time.pendingCount == 0)
        }
    }

    @Test func `all runs have the same deadline`() throws {
        let runs = Shared(0)
        // Each run takes 4 seconds and fails.
        let repeated = Future<Void>(on: .immediate, immediate: { runs.increment() })
            .flatMap(on: .immediate) { Future<Int>(error: Oops()).delay(by: .seconds(4), on: time.scheduler) }
            .timeout(at: time.scheduler.now + .seconds(10), on: time.scheduler)
            .onErrorRepeat(on: .immediate, maxRepetitions: 3) { $0 is Oops }
        try time.runToEnd()
        #expect(repeated.error is FutureError)
        #expect(runs.value == 3)
        #expect(time.now == .seconds(10))
    }

    @Test func `a time limit goes by the clock of the scheduler where it was attached`() throws {
        let places = Log<Bool>()
        time.scheduler.perform {
            let brought: [Future<Int>] = [
                .never.timeout(after: .seconds(1)),
                .never.timeout(at: time.scheduler.now + .seconds(1)),
                .never.fail(with: Oops(), after: .seconds(1)),
                .never.succeed(with: 1, after: .seconds(1)),
                .never.timeout(after: .seconds(1)) { Future(1) },
                Future(1).delay(by: .seconds(1)),
                Future(1).delay(until: time.scheduler.now + .seconds(1)),
            ]
            for future in brought {
                future.onResult(on: .immediate) { _ in places.add(Scheduler.current == time.scheduler) }
            }
        }
        time.advance(by: .seconds(1))
        #expect(places.entries == Array(repeating: true, count: 7))

        // A clock of the library's is on no scheduler.
        let place = Scheduler(label: "own").sync {
            Future<Int>.never.timeout(after: .seconds(1)).mapResult(on: .immediate) { _ in Scheduler.current }
        }
        #expect(try place.wait(timeout: testTimeout) == .background)
    }

    @Test func `a timeout error names the file and line of the time limit that expired`() throws {
        let (chained, own) = (Promise<Int>(), Future<Int>.never)
        let limited = chained.future
            .timeout(after: .seconds(1), on: time.scheduler, file: "inner", line: 1)
            .recover(from: Oops.self) { $0.number }
            .timeout(after: .seconds(2), on: time.scheduler, file: "outer", line: 2)
        let late = own.timeout(at: time.scheduler.now, on: time.scheduler, file: "late", line: 3)
        let (here, line) = (own.timeout(after: .zero, on: time.scheduler), #line)
        time.advance(by: .seconds(1))
        let inner = FutureError.timedOut(after: .seconds(1), origin: .init("inner", line: 1))
        #expect(limited.error as? FutureError == inner)
        #expect("\(inner)" == "There was no result within 1.0 seconds, the time limit at inner:1.")
        #expect(late.error as? FutureError == .timedOut(after: .zero, origin: .init("late", line: 3)))
        #expect("\(here.error!)".contains("FuturesTests/FutureTimeoutTests.swift:\(line)."))
        #expect(throws: FutureError.timedOut(after: .zero, origin: .init("waiting", line: 4))) {
            try own.wait(timeout: .zero, file: "waiting", line: 4)
        }
    }

    @Test func `an error tells whether it means that a time limit has passed`() {
        let late: [any Error] = [
            FutureError.timedOut(after: .seconds(1), origin: .init()), QueueError.waitTimedOut(after: .seconds(1)),
            QueueError.runTimedOut(after: .seconds(1)), AwaitError.timedOut(identifier: "a"),
        ]
        for error in late { #expect(error.isTimeout, "\(error)") }
        let others: [any Error] = [FutureError.noFutures, QueueError.closed, CancellationError(), Oops()]
        for error in others { #expect(!error.isTimeout, "\(error)") }
    }
}
