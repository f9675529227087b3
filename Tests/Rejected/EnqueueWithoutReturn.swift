// rejected: generic parameter 'T' could not be inferred
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ queue: FutureQueue<Void>) {
    queue.enqueue {
        print("loads")
        load().onValue { print($0) }
    }
}
