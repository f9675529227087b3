// onValue, onError, onResult, onCancel, always: callbacks that do not change the result. Contract/Operators.md

import Futures
import Testing

@Suite struct FutureObserveTests {
    private let log = Log<String>()

    private func observed(_ future: Future<Int>) -> Future<Int> {
        future
            .onValue(on: .immediate) { log.add("value \($0)") }
            .onError(on: .immediate) { log.add("error \(($0 as? Oops)?.number ?? -1)") }
            .onResult(on: .immediate) { _ in log.add("result") }
            .onCancel(on: .immediate) { log.add("cancel") }
            .always(on: .immediate) { log.add("always") }
    }

    @Test func `an observer is called for its kind of result and passes every result on`() {
        #expect(observed(Future(1)).success == 1)
        #expect(log.entries == ["value 1", "result", "always"])
    }

    @Test func `a cancel from downstream calls only onCancel and always`() {
        observed(stoppable {}).cancel()
        #expect(log.entries == ["cancel", "always"])
    }

    @Test func `the future that an observing call returns completes after the callback`() {
        let promise = Promise<Int>()
        promise.future.onValue(on: .immediate) { _ in log.add("callback") }
            .onValue(on: .immediate) { _ in log.add("after") }
        promise.succeed(1)
        #expect(log.entries == ["callback", "after"])
    }
}
