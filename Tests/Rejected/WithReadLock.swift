// rejected: 'withReadLock' is unavailable: use withReaderLock
import Futures

func read(_ lock: FutureReadWriteLock) {
    _ = lock.withReadLock { 1 }
}
