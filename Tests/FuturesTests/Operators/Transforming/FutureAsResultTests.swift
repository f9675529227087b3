// asResult. Contract/Operators.md

import Futures
import Testing

@Suite struct FutureAsResultTests {
    @Test func `asResult succeeds with the value or the error of its source`() throws {
        let (value, error, cancelled) = (Promise<Int>(), Promise<Int>(), Promise<Int>())
        let results = join([value, error, cancelled].map { $0.future.asResult() })
        cancelled.fail(CancellationError())
        error.fail(Oops(2))
        #expect(!results.isCompleted)
        value.succeed(1)
        let found = try #require(results.success)
        #expect(try found[0].get() == 1)
        #expect(throws: Oops(2)) { try found[1].get() }
        #expect(throws: CancellationError.self) { try found[2].get() }
    }

    @Test func `cancelling what asResult returns fails it and cancels its source`() {
        let promise = Promise<Int>()
        let result = promise.future.asResult()
        result.cancel()
        #expect(result.isCancelled)
        #expect(promise.future.isCancelled)
    }
}
