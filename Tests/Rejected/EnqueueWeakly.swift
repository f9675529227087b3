// rejected: return a future (not an optional one; without await), or use run { … }, runSync { … }
import Futures

@MainActor final class Screen {
    let queue = FutureQueue()

    func reload() {
        queue.enqueue { [weak self] in self?.load() }
    }

    func load() -> Future<Int> { Future(1) }
}
