// rejected: call to global actor 'ClosureReturnsAFuture'-isolated instance method 'run(
// saying: it would be a future of a future: use flatMap { … }, or await its value
import Futures

func load(_ number: Int) -> Future<Int> { Future(number) }

func twice(_ future: Future<Int>) {
    _ = future.run { load($0) }
}
