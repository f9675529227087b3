// rejected: instance method 'wait' is unavailable from asynchronous contexts
import Futures

func load(_ future: Future<Int>) async throws -> Int {
    try future.wait()
}
