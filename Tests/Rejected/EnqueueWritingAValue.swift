// rejected: return a future (not an optional one; without await), or use withWriterLock { … }
import Futures

func reload(_ lock: FutureReadWriteLock) {
    lock.enqueueWriting { 1 }
}
