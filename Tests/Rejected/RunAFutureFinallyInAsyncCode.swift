// rejected: the turn would end before the future: use enqueue { … }, or await its value
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ target: FutureQueue<Int>) async throws {
    _ = try await target.run { _ in
        load()
    } finally: { _, _ in
    }.value
}
