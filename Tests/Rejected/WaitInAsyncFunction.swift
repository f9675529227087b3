// rejected: instance method 'wait' is unavailable from asynchronous contexts; Write try await future.value
import Futures

func load(_ future: Future<Int>) async throws -> Int {
    try future.wait()
}
