// rejected: call to global actor 'ClosureReturnsAFuture'-isolated instance method 'runBatch(
// saying: the turn would end before the future: use enqueueBatch { … }, or await its value
import Futures

func reload(_ target: FutureQueue<Void>) {
    target.runBatch { batch in
        batch.runSync { 1 }
    } finally: { _ in
    }
}
