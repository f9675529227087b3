// rejected: call to global actor 'ClosureReturnsAFuture'-isolated instance method 'runBatch(
// saying: the turn would end before the future: use enqueueBatch { … }, or await its value
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ target: FutureQueue<Void>) {
    target.runBatch { batch in batch.enqueue { load() } }
}
