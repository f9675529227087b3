// rejected: call to global actor 'ClosureReturnsAFuture'-isolated instance method 'withReaderLock(
// saying: the turn would end before the future: use enqueueReading { … }, or await its value
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ target: FutureReadWriteLock) {
    target.withReaderLock { load() }
}
