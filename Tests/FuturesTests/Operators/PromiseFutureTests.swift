// Promise.complete(with:): a promise that is completed as a future. Contract/Life.md

import Futures
import Testing

@Suite struct PromiseFutureTests {
    @Test func `a promise can be completed as a future, with its value or error`() {
        for result in [Result<Int, any Error>.success(1), .failure(Oops(2))] {
            let (source, promise) = (Promise<Int>(), Promise<Int>())
            promise.complete(with: source.future)
            #expect(!promise.future.isCompleted)
            source.complete(result)
            #expect(
                promise.future.success == (try? result.get())
                    && promise.future.error as? Oops == source.future.error as? Oops)
        }
        let promise = Promise<Int>()
        promise.complete(with: Future(3))
        #expect(promise.future.success == 3)
    }

    @Test func `a promise that is completed as its own future fails`() {
        let promise = Promise<Int>()
        promise.complete(with: promise.future)
        #expect(promise.future.error as? FutureError == .awaitsItself)
    }

    @Test func `a promise that was completed or cancelled before ignores the future, which continues`() {
        for cancels in [false, true] {
            let (source, promise) = (Promise<Int>(), Promise<Int>())
            promise.complete(with: source.future)
            if cancels { promise.future.cancel() } else { promise.succeed(7) }
            #expect(!source.future.isCompleted)
            source.succeed(1)
            #expect(promise.future.success == (cancels ? nil : 7) && promise.future.isCancelled == cancels)
        }
    }
}
