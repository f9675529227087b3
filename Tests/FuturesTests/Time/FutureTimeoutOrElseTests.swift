// timeout(after:orElse:): another future follows a late one.

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
                log.add(time.scheduler.isCurrent ? "called" : "called elsewhere", returning: other.future)
            }
        }
        time.advance(by: .seconds(1))
        #expect(log.entries == ["cancelled", "called"])
        #expect(either.result == nil)
        other.succeed(2)
        #expect(either.success == 2)
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
}
