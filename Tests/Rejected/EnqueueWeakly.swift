// rejected: cannot convert value of type 'Future<Int>?' to closure result type 'Future<Int>'
import Futures

@MainActor final class Screen {
    let queue = FutureQueue()

    func reload() {
        queue.enqueue { [weak self] in self?.load() }
    }

    func load() -> Future<Int> { Future(1) }
}
