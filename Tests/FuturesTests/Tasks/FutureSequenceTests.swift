// Asynchronous sequences of futures' results. Contract/Async.md

import Futures
import Testing

@MainActor @Suite struct FutureSequenceTests {
    @Test func `results come in the order in which the futures complete`() async {
        let promises = (0..<3).map { _ in Promise<Int>() }
        var results = promises.map { $0.future }.results().makeAsyncIterator()
        promises[2].succeed(20)
        promises[0].fail(Oops(1))
        promises[1].succeed(10)
        var seen: [String] = []
        while let next = await results.next() {
            seen.append("\(next.offset): \((try? next.result.get()).map { "\($0)" } ?? "failed")")
        }
        #expect(seen == ["2: 20", "0: failed", "1: 10"])
        for await _ in [Future<Int>]().results() { Issue.record("there are none") }
    }

    @Test func `ending an iteration cancels the remaining futures, unless they have other listeners`() async throws {
        let (one, two, three) = (Promise<Int>(), Promise<Int>(), Promise<Int>())
        let futures = [one.future, two.future, three.future]
        let other = two.future.map(on: .immediate) { $0 }
        one.succeed(1)
        for await result in futures.results() {
            #expect(result.offset == 0)
            break
        }
        #expect(await comesTrue { three.future.isCancelled })
        #expect(!two.future.isCompleted)
        two.succeed(2)
        #expect(other.success == 2)
    }

    @Test func `a future of a sequence has its first element and then stops the iteration`() async throws {
        let (stream, elements) = AsyncStream.makeStream(of: Int.self)
        let first = Future.first(of: stream)
        elements.yield(5)
        elements.yield(6)
        #expect(try await first.value == 5)
        let (empty, none) = AsyncStream.makeStream(of: Int.self)
        none.finish()
        await #expect(throws: FutureError.noElement) { try await Future.first(of: empty).value }
        let isTerminated = Promise<Void>()
        let (pending, waiting) = AsyncStream.makeStream(of: Int.self)
        waiting.onTermination = { _ in isTerminated.succeed() }
        Future.first(of: pending).cancel()
        _ = await isTerminated.future.arrival()
        let failing = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Oops(3)) }
        await #expect(throws: Oops(3)) { try await Future.first(of: failing).value }
    }
}
