// rejected: return a future (not an optional one; without await), or use withLock { … }
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ mutex: FutureMutex, if condition: Bool) {
    mutex.enqueue { condition ? load() : nil }
}
