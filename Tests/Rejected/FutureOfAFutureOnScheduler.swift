// rejected: call to global actor 'ClosureReturnsAFuture'-isolated initializer 'init(on:immediate:)
// saying: this would be a future of a future: return no future, or take the one returned
import Futures

func load() -> Future<Int> { Future(1) }

func reload() {
    Future(on: .background) { load() }.onValue { print($0) }
}
