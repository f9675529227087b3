// rejected: return a future and await nothing, or use withReaderLock { … }
import Futures

func load() -> Future<Int> { Future(1) }

func prepare() async {}

func reload(_ lock: FutureReadWriteLock) {
    lock.enqueueReading {
        await prepare()
        return load()
    }
}
