// Builder: futures with handlers, described before they start.

import Futures
import Testing

@Suite struct FutureBuilderTests {
    @Test func `nothing starts before build, and each build starts another run`() async throws {
        let runs = Shared(0)
        let builder = Future<Int>.Builder {
            await Task.yield()
            return runs.increment()
        }
        #expect(runs.value == 0)
        let first: Int = try await builder.build().value
        let second: Int = try await builder.build().value
        #expect([first, second] == [1, 2])
    }
}
