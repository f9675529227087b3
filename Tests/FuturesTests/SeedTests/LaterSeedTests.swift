// Later's document, block by block. Documentation/Seeds.md lists the lines that had to change, and why.

import Futures
import Testing

@Sendable private func asyncTask() async throws -> String {
    return "Hello"
}

extension Task<Never, Never> {
    /// The document's nap. Here, it only yields the thread.
    fileprivate static func catNap() async throws {
        await Task.yield()
        try Task.checkCancellation()
    }
}

private enum MockFutureError: Error {
    case mockError
}

@Suite struct LaterSeedTests {
    @Test func `creating a Future, and accessing the value`() async throws {
        let future = Future {
            do {
                let result = try await asyncTask()
                return result
            } catch {
                throw error
            }
        }
        do {
            let result = try await future.value
            #expect(result == "Hello")
        } catch {
            Issue.record("Error: \(error)")
        }
        #expect(try await future.value == "Hello", "the result is kept")
    }

    @Test func `handling success and failure`() async throws {
        let printed = Log<String>()
        let future = Future(
            didSucceed: { value in
                printed.add("Task succeeded with value: \(value)")
            },
            didFail: { error in
                printed.add("Task failed with error: \(error)")
            },
            task: {
                try await asyncTask()
            }
        )
        _ = try await future.value
        #expect(printed.entries == ["Task succeeded with value: Hello"])
    }

    @Test func `cancellation`() async throws {
        let future = Future<String> {
            try await Task.catNap()
            return "Completed"
        }

        future.cancel()

        do {
            _ = try await future.value
            Issue.record("Future should have been canceled")
        } catch {
            _ = try #require(error as? CancellationError)
        }
    }

    @Test func `example using the builder`() async throws {
        let printed = Log<String>()
        let future = Future<String>.Builder {
            try await Task.catNap()
            return "Data fetched"
        }
        .onSuccess { value in
            printed.add("Successfully fetched: \(value)")
        }
        .onFailure { error in
            printed.add("Failed with error: \(error)")
        }
        .build()

        let result = try await future.value
        #expect(result == "Data fetched")
        #expect(printed.entries == ["Successfully fetched: Data fetched"])
    }

    @Test func `error handling in builder`() async throws {
        let printed = Log<String>()
        let future = Future<String>.Builder {
            try await Task.catNap()
            throw MockFutureError.mockError
        }
        .onSuccess { _ in
            Issue.record("Task should not succeed")
        }
        .onFailure { error in
            printed.add("Failed with error: \(error)")
        }
        .build()

        do {
            _ = try await future.value
            Issue.record("Task should throw an error")
        } catch {
            printed.add("Caught error: \(error)")
        }
        #expect(printed.entries == ["Failed with error: mockError", "Caught error: mockError"])
    }
}
