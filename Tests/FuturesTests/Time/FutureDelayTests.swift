// delay: a result that is passed on later. Contract/Time.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureDelayTests {
    private let time = VirtualTime(), promise = Promise<Int>()

    @Test func `a delay passes on a value or an error when its time expires`() {
        let value = promise.future.delay(by: .seconds(60), on: time.scheduler)
        let error = Future<Int>(error: Oops()).delay(by: .seconds(30), on: time.scheduler)
        time.advance(by: .seconds(30))
        #expect(error.error is Oops)
        // It starts when the result is available.
        promise.succeed(1)
        time.advance(by: .seconds(59))
        #expect(value.result == nil)
        time.advance(by: .seconds(1))
        #expect(value.success == 1)
    }

    @Test func `a nil, zero, negative or past delay passes the result on in place`() {
        let none: [Duration?] = [nil, .zero, .seconds(-1)]
        for delay in none { #expect(Future(1).delay(by: delay, on: time.scheduler).success == 1) }
        let now = time.scheduler.now
        for deadline in [now, now - .seconds(1)] {
            #expect(Future(1).delay(until: deadline, on: time.scheduler).success == 1)
        }
        #expect(time.pendingCount == 0)
    }

    @Test func `a result is held until a deadline`() {
        let deadline = time.scheduler.now + .seconds(10)
        let late = promise.future.delay(until: deadline, on: time.scheduler)
        time.advance(by: .seconds(8))
        promise.succeed(1)
        time.advance(by: .seconds(1))
        #expect(late.result == nil)
        time.advance(by: .seconds(1))
        #expect(late.success == 1)
        #expect(promise.future.delay(until: deadline, on: time.scheduler).success == 1)
    }
}
