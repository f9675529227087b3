// rejected: call to global actor 'ClosureReturnsAFuture'-isolated instance method 'run
// saying: it would be a future of a future: use breaker.future { … }, or await its value
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ breaker: CircuitBreaker) {
    _ = breaker.run { load() }
}
