// rejected: call to global actor 'ClosureReturnsAFuture'-isolated instance method 'runSync(
// saying: the turn would end before the future: use enqueue { … }, or await its value
import Futures

func load(_ number: Int) -> Future<Int> { Future(number) }

func reload(_ target: FutureQueue<Int>) {
    target.runSync(load)
}
