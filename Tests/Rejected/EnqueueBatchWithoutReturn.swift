// rejected: generic parameter 'T' could not be inferred
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ queue: FutureQueue<Void>) {
    queue.batch.enqueue { batch in
        batch.enqueue { load() }
        batch.enqueue { load() }.onValue { print($0) }
    }
}
