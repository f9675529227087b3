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

    @Test func `an operation behind shieldedFromCancellation is shielded while a repetition starts it, too`() {
        let (log, completions) = (Log<Int>(), Shared<[Future<Int>.Completion]>([]))
        let chain = Shared<Future<Int>?>(nil)
        let operation = Future<Int>(on: .immediate) { completion in
            completions.change { $0.append(completion) }
            if completions.value.count == 2 { chain.value?.cancel() }
            return NilDisposer()
        }.onValue(on: .immediate) { log.add($0) }
        chain.value = operation.shieldedFromCancellation().onErrorRepeat(on: .immediate, maxRepetitions: 1)
        completions.value[0](.failure(Oops()))
        completions.value[1](.success(2))
        #expect(chain.value?.isCancelled == true)
        #expect(log.entries == [2])
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
