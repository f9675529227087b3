// rejected: call to global actor 'ClosureReturnsAFuture'-isolated instance method 'withLock(
// saying: nothing would wait for the cleanup: use enqueue { … }, or await its value
import Futures

func close() -> Future<Void> { Future() }

func reload(_ target: FutureMutex) {
    target.withLock {
        1
    } finally: { _ in
        close()
    }
}
