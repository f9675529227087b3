// Deferreds of asynchronous closures. Contract/Deferred.md

import Futures
import Testing

@Suite struct DeferredAsyncTests {
    @Test func `a deferred of an asynchronous closure starts a task at each start`() async throws {
        let runs = Shared(0)
        let deferred = Deferred {
            await Task.yield()
            return runs.increment()
        }.map { $0 * 10 }
        #expect(runs.value == 0)
        #expect(try await deferred.start().value == 10)
        #expect(try await deferred.start().value == 20)
        let failed = Deferred<Int> {
            await Task.yield()
            throw Oops(1)
        }
        await #expect(throws: Oops(1)) { try await failed.start().value }
    }
}
