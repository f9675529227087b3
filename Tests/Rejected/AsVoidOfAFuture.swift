// rejected: call to global actor 'ClosureReturnsAFuture'-isolated instance method 'asVoid()'
// saying: nothing would wait for the future in the value: use flatMap instead of map
import Futures

func load() -> Future<Int> { Future(1) }

func save(_ value: Int) -> Future<Void> { Future() }

func copy(_ queue: FutureQueue<Void>) {
    queue.enqueue { load().map { save($0) }.asVoid() }
}
