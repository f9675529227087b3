// rejected: call to global actor 'ClosureReturnsAFuture'-isolated instance method 'run(
// saying: the turn would end before the future: use enqueue { … }, or await its value
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ target: FutureQueue<Void>) {
    target.run {
        load()
    } finally: { _ in
    }
}
