// rejected: call to global actor 'ClosureReturnsAFuture'-isolated instance method 'runSync(for:
// saying: the turn would end before the future: use enqueue { … }, or await its value
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ target: KeyedFutureQueue<String>) {
    target.runSync(for: "key", load)
}
