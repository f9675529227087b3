// Builder: futures with handlers, described before they start.

import Futures
import Testing

@Suite struct FutureBuilderTests {
    @Test func `the handlers of a builder are called in order, before an awaiting task gets the result`() async throws {
        let log = Log<String>()
        let builder = Future<String>.Builder {
            await Task.yield()
            return "value"
        }
        let full = builder.onSuccess { log.add("first \($0)") }.onFailure { _ in log.add("never") }
            .onSuccess { log.add("second \($0)") }
        let value: String = try await full.build().value
        log.add("awaited")
        #expect(value == "value")
        #expect(log.entries == ["first value", "second value", "awaited"])
        let plain: String = try await builder.build().value
        #expect(plain == "value" && log.count == 3, "the builder is a value: it has no handlers")
    }

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
