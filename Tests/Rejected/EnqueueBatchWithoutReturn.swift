// rejected: return a future (not an optional one; without await), or use runBatch { … }
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ queue: FutureQueue<Void>) {
    queue.enqueueBatch { batch in
        batch.enqueue { load() }
        batch.enqueue { load() }.onValue { print($0) }
    }
}
