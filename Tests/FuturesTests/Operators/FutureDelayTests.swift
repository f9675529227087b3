// delay: results that come later.

import Futures
import FuturesTesting
import Testing

@Suite struct FutureDelayTests {
    @Test func `a delay passes on a value or an error when its time has come`() {
        let time = VirtualTime()
        let value = Future(1).delay(by: .seconds(60), on: time.scheduler)
        let error = Future<Int>(error: Oops()).delay(by: .seconds(30), on: time.scheduler)
        time.advance(by: .seconds(30))
        #expect(value.result == nil)
        #expect(error.error is Oops)
        time.advance(by: .seconds(30))
        #expect(value.value == 1)
    }

    @Test func `the time of a delay is the current scheduler's`() {
        let time = VirtualTime()
        let future = time.scheduler.perform { Future(1).delay(by: .seconds(1)) }
        time.advance(by: .seconds(1))
        #expect(future.value == 1)
    }

    @Test func `no delay and a negative one are none`() {
        #expect(Future(1).delay(by: nil).value == 1)
        #expect(Future(1).delay(by: .seconds(-1)).value == 1)
    }

    @Test func `a delay begins when the result is there`() {
        let time = VirtualTime()
        let promise = Promise<Int>()
        let late = promise.future.delay(by: .seconds(2), on: time.scheduler)
        time.advance(by: .seconds(10))
        promise.succeed(1)
        time.advance(by: .seconds(1))
        #expect(late.result == nil)
        time.advance(by: .seconds(1))
        #expect(late.value == 1)
    }
}
