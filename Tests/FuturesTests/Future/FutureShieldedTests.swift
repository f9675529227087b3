// shieldedFromCancellation: a consumer is cancelled, and the operation continues. Contract/Cancelling.md

import Futures
import Testing

@Suite struct FutureShieldedTests {
    @Test func `an operation behind shieldedFromCancellation runs to completion although its consumer was cancelled`() {
        let (log, promise) = (Log<String>(), Promise<Int>())
        let above = promise.future.onCancel(on: .immediate) { log.add("above") }
            .onValue(on: .immediate) { log.add("value \($0)") }
        let end = above.shieldedFromCancellation().onCancel(on: .immediate) { log.add("below") }
        end.cancel()
        #expect(end.isCancelled)
        #expect(log.entries == ["below"])
        #expect(promise.succeed(1))
        #expect(log.entries == ["below", "value 1"])
        #expect(above.success == 1)
    }

    @Test func `an operation behind shieldedFromCancellation cannot be cancelled by other consumers either`() {
        let promise = Promise<Int>()
        let ignoring = promise.future.shieldedFromCancellation()
        let other = promise.future.map(on: .immediate) { $0 }
        ignoring.cancel()
        other.cancel()
        promise.future.cancel()
        #expect(ignoring.isCancelled && other.isCancelled)
        #expect(!promise.future.isCompleted)
        #expect(promise.succeed(1))
    }
}
