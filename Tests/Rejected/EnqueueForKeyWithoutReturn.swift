// rejected: return a future (not an optional one; without await), or use run { … }, runSync { … }
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ queue: KeyedFutureQueue<String>) {
    queue.enqueue(for: "key") {
        print("loads")
        load().onValue { print($0) }
    }
}
