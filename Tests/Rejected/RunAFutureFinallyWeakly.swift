// rejected: call to global actor 'ClosureReturnsAFuture'-isolated instance method 'run(
// saying: the turn would end before the future: use enqueue { … }, or await its value
import Futures

@MainActor final class Screen {
    let queue = FutureQueue()

    func reload() {
        queue.run { [weak self] in
            self?.load()
        } finally: { _ in
        }
    }

    func load() -> Future<Int> { Future(1) }
}
