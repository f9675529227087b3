// rejected: instance method 'runEach' is unavailable from asynchronous contexts; transform the elements in the closure instead
import Futures

func doubled(_ numbers: [Int]) async throws -> [Int] {
    try await numbers.lazy.map { $0 * 2 }.runEach { number in number }.value
}
