// rejected: return a future (not an optional one; without await), or use withReaderLock { … }
import Futures

func load() -> Future<Int> { Future(1) }

func prepare() async {}

func reload(_ lock: FutureReadWriteLock) {
    lock.enqueueReading {
        await prepare()
        return load()
    }
}
