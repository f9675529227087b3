// run: asynchronous closures for the values of futures. Contract/Async.md

import Futures
import Testing

@Suite struct FutureRunTests {
    @Test func `run calls an asynchronous closure with a future's value, and passes on its error`() async throws {
        let promise = Promise<Int>()
        let end = promise.future.run { number -> String in
            await Task.yield()
            return "\(number)"
        }
        promise.succeed(7)
        #expect(try await end.value == "7")
        await #expect(throws: Oops(1)) {
            try await Future<Int>(error: Oops(1)).run { _ in Issue.record("It failed.") }.value
        }
        await #expect(throws: Oops(2)) { try await Future(1).run { _ in throw Oops(2) }.value }
    }

    @MainActor @Test func `the closure of run runs on the actor on which it was written`() async throws {
        var count = 0
        try await Future(1).run { number in
            await Task.yield()
            count += number
        }.value
        #expect(count == 1)
    }

    @Test func `getResult waits for a result and does not throw`() async {
        let results = [await Future(1).getResult(), await Future<Int>(error: Oops(2)).getResult()]
        #expect((try? results[0].get()) == 1)
        #expect(throws: Oops(2)) { try results[1].get() }
        let pending = Promise<Int>()
        let task = Task { await pending.future.getResult() }
        task.cancel()
        let result = await task.value
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(await comesTrue { pending.future.isCancelled })
    }
}
