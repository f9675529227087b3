// rejected: call to global actor 'ClosureReturnsAFuture'-isolated instance method 'runBatch(
// saying: nothing would wait for the cleanup: use enqueueBatch { … }, or await its value
import Futures

func close() -> Future<Void> { Future() }

func reload(_ target: FutureQueue<Void>) {
    target.runBatch { _ in
        1
    } finally: { _ in
        close()
    }
}
