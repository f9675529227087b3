// rejected: the turn would end before the future: use enqueue { … }, or await its value
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ mutex: FutureMutex) async {
    mutex.withLock {
        print("loads")
        return load()
    }
}
