// rejected: return a future and await nothing, or use run { … }
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ queue: FutureQueue<Int>) {
    queue.enqueue(on: .background) { number in
        print("loads", number)
        load().onValue { print($0) }
    }
}
