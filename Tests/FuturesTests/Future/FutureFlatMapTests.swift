// flatMap, flatMapResult, flatMapError: one future follows another. Contract/Operators.md

import Futures
import Testing

@Suite struct FutureFlatMapTests {
    private let one = Future(1), failed = Future<Int>(error: Oops(1))

    @Test func `flatMap passes on the result of the future that its closure returns`() {
        let (inner, outer) = (Promise<String>(), Promise<Int>())
        let future = outer.future.flatMap(on: .immediate) { number in
            inner.future.map(on: .immediate) { "\($0) \(number)" }
        }
        outer.succeed(1)
        #expect(future.result == nil)
        inner.succeed("number")
        #expect(future.success == "number 1")
        #expect(failed.flatMap(on: .immediate) { Future($0) }.error as? Oops == Oops(1))
        #expect(one.flatMap(on: .immediate) { _ in failed }.error as? Oops == Oops(1))
    }

    @Test func `flatMapError recovers from an error with a future and passes values on`() {
        #expect(one.flatMapError(on: .immediate) { _ in Future(2) }.success == 1)
        #expect(failed.flatMapError(on: .immediate) { _ in Future(2) }.success == 2)
        #expect(failed.flatMapError(on: .immediate) { Future(error: $0) }.error as? Oops == Oops(1))
    }

    @Test func `a transform that returns its own future fails instead of waiting for itself`() {
        let (own, promise) = (Shared<Future<Int>?>(nil), Promise<Int>())
        own.value = promise.future.flatMap(on: .immediate) { _ in own.value! }
        promise.succeed(1)
        #expect(own.value?.error as? FutureError == .awaitsItself)
        own.value = nil
    }
}
