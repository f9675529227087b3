// rejected: call to global actor 'ClosureReturnsAFuture'-isolated instance method 'runSync(
// saying: the turn would end before the future: use enqueue { … }, or await its value
import Futures

@MainActor final class Screen {
    let queue = FutureQueue()

    func reload() {
        queue.runSync { [weak self] in self?.load() }.onValue { print($0 as Any) }
    }

    func load() -> Future<Int> { Future(1) }
}
