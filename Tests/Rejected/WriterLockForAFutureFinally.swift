// rejected: call to global actor 'ClosureReturnsAFuture'-isolated instance method 'withWriterLock(
// saying: the turn would end before the future: use enqueueWriting { … }, or await its value
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ target: FutureReadWriteLock) {
    target.withWriterLock {
        load()
    } finally: { _ in
    }
}
