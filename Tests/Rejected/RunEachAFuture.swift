// rejected: call to global actor 'ClosureReturnsAFuture'-isolated instance method 'runEach(
// saying: it would be a future of a future: use mapToFuture { … }, or await its value
import Futures

func load(_ number: Int) -> Future<Int> { Future(number) }

func all(_ numbers: [Int]) {
    _ = numbers.runEach { load($0) }
}
