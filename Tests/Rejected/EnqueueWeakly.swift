// rejected: return a future and await nothing, or use run { … }
import Futures

@MainActor final class Screen {
    let queue = FutureQueue()

    func reload() {
        queue.enqueue { [weak self] in self?.load() }
    }

    func load() -> Future<Int> { Future(1) }
}
