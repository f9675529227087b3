// rejected: 'withReadLock' is unavailable: use reading.run
import Futures

func read(_ lock: FutureReadWriteLock) {
    _ = lock.withReadLock { 1 }
}
