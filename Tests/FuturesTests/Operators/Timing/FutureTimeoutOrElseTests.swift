// timeout(after:orElse:): another future follows a late one. Contract/Time.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureTimeoutOrElseTests {
    private let time = VirtualTime()

    @Test func `a late future is cancelled before another future is made`() {
        let (time, log) = (time, Log<String>())
        let (slow, other) = (Promise<Int>(), Promise<Int>())
        let source = slow.future.onCancel(on: .immediate) { log.add("cancelled") }
        let either = time.scheduler.perform {
            source.timeout(after: .seconds(1)) {
                log.add(time.scheduler.isCurrent ? "called" : "called elsewhere")
                return other.future
            }
        }
        time.advance(by: .seconds(1))
        #expect(log.entries == ["cancelled", "called"])
        #expect(either.result == nil)
        other.succeed(2)
        #expect(either.success == 2)
    }

    @Test func `a result that arrives in time needs no other future`() {
        let (calls, promise) = (Shared(0), Promise<Int>())
        let either = promise.future.timeout(on: time.scheduler, after: .seconds(1)) {
            calls.increment()
            return Future(2)
        }
        promise.succeed(1)
        time.advance(by: .seconds(1))
        #expect(either.success == 1)
        #expect(calls.value == 0)
    }

    @Test func `a cancel reaches the late future, and then the other one`() {
        for isOver in [false, true] {
            let (promise, other) = (Promise<Int>(), Promise<Int>())
            let either = promise.future.timeout(on: time.scheduler, after: .seconds(1)) { other.future }
            if isOver { time.advance(by: .seconds(1)) }
            either.cancel()
            #expect(promise.future.isCancelled)
            #expect(other.future.isCancelled == isOver)
            #expect(time.pendingCount == 0)
        }
    }

    @Test func `an error thrown instead of returning another future fails the future`() {
        let either = Future<Int>.never.timeout(on: time.scheduler, after: .seconds(1)) { throw Oops(1) }
        time.advance(by: .seconds(1))
        #expect(either.error as? Oops == Oops(1))
    }

    @Test func `each repetition has the whole time, and makes another future`() throws {
        let (slow, others) = (Shared(0), Shared(0))
        let source = Future<Void>(on: .immediate, immediate: { slow.increment() })
            .flatMap(on: .immediate) { Future(1).delay(by: .seconds(5), on: time.scheduler) }
        let either = source.timeout(on: time.scheduler, after: .seconds(1)) { Future(error: Oops(others.increment())) }
            .onErrorRepeat(on: .immediate, maxRepetitions: 2)
        try time.runToEnd()
        #expect(either.error as? Oops == Oops(3))
        #expect(slow.value == 3)
        #expect(time.now == .seconds(3))
    }

    @Test func `of nested time limits, the shorter one expires first`() throws {
        let nested = Future.never.timeout(on: time.scheduler, after: .seconds(1)) { Future<Int>.never }
            .timeout(on: time.scheduler, after: .seconds(3)) { Future(3) }
        let sooner = Future.never.timeout(on: time.scheduler, after: .seconds(5)) { Future(5) }
            .timeout(on: time.scheduler, after: .seconds(2)) { Future(2) }
        try time.runToEnd()
        #expect(nested.success == 3)
        #expect(sooner.success == 2)
        #expect(time.now == .seconds(3))
    }
}
