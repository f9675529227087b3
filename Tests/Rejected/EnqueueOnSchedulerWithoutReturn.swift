// rejected: return a future (not an optional one; without await), or use run { … }, runSync { … }
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ queue: FutureQueue<Int>) {
    queue.enqueue(on: .background) { number in
        print("loads", number)
        load().onValue { print($0) }
    }
}
