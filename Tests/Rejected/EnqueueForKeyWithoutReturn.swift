// rejected: return a future and await nothing, or use run { … }
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ queue: KeyedFutureQueue<String>) {
    queue.enqueue(for: "key") {
        print("loads")
        load().onValue { print($0) }
    }
}
