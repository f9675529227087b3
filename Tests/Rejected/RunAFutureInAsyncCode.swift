// rejected: the turn would end before the future: use enqueue { … }, or await its value
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ queue: FutureQueue<Void>) async throws -> Int {
    try await queue.run { load() }.value.value
}
