// rejected: call to global actor 'ClosureReturnsAFuture'-isolated instance method 'withResource(
// saying: the turn would end before the future: use enqueue { … }, or await its value
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ target: ResourcePool<Int>) {
    target.withResource { number in
        load().map { $0 + number }
    } finally: { _, _ in
    }
}
