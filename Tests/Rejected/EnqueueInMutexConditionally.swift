// rejected: return a future and await nothing, or use withLock { … }
import Futures

func load() -> Future<Int> { Future(1) }

func reload(_ mutex: FutureMutex, if condition: Bool) {
    mutex.enqueue { condition ? load() : nil }
}
