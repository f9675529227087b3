// rejected: call to global actor 'ClosureReturnsAFuture'-isolated initializer 'init(immediate:)
// saying: this would be a future of a future: return no future, or take the one returned
import Futures

@MainActor final class Screen {
    func reload() {
        _ = Future(immediate: { self.load() })
    }

    func load() -> Future<Int> { Future(1) }
}
